// The part of module tasuki_client that reads Fortran's descriptions of arrays and texts.
//
// It is compiled with the program, as each Fortran compiler has an ISO_Fortran_binding.h of its
// own.
#include <ISO_Fortran_binding.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tasuki/client.h>

enum { most_arguments = 20 };

// As module tasuki_client has them.
typedef struct {
  tasuki_client* client;
} tasuki_server;
typedef struct {
  char name[64];
} tasuki_kept_array;
typedef struct {
  void (*address)(void);
} tasuki_function;
typedef struct {
  char name[512];
} tasuki_object;

// As NumPy calls it; a text that names no type if the interface language has none for it.
static const char* type_of(const CFI_cdesc_t* array) {
  if (array->type == CFI_type_int8_t) return "int8";
  if (array->type == CFI_type_int16_t) return "int16";
  if (array->type == CFI_type_int32_t) return "int32";
  if (array->type == CFI_type_int64_t) return "int64";
  if (array->type == CFI_type_float) return "float32";
  if (array->type == CFI_type_double) return "float64";
  if (array->type == CFI_type_float_Complex) return "complex64";
  if (array->type == CFI_type_double_Complex) return "complex128";
  if (array->type == CFI_type_char) return "characters";
  return "of a variable that is neither number nor text";
}

static tasuki_argument argument_of(const CFI_cdesc_t* array, int64_t* extents,
                                   int64_t* stride_bytes) {
  tasuki_argument argument = {.memory = array->base_addr};
  if (array->type == CFI_type_struct && array->elem_len == sizeof(tasuki_kept_array)) {
    argument.kept = ((tasuki_kept_array*)array->base_addr)->name;
    return argument;
  }
  if (array->type == CFI_type_struct && array->elem_len == sizeof(tasuki_function)) {
    memcpy(&argument.memory, array->base_addr, sizeof argument.memory);
    argument.type = "function";
    return argument;
  }
  for (CFI_rank_t i = 0; i < array->rank; ++i) {
    extents[i] = array->dim[i].extent;
    stride_bytes[i] = array->dim[i].sm;
  }
  argument.type = type_of(array);
  argument.text_bytes = array->elem_len;
  argument.extents = extents;
  argument.dimensions = (size_t)array->rank;
  argument.stride_bytes = stride_bytes;
  if (array->rank == 0) {  // Also room for a result of one number.
    extents[0] = 1;
    argument.dimensions = 1;
    argument.stride_bytes = NULL;
  }
  return argument;
}

// A text of C, to be freed, without blanks at the end.
static char* text_of(const CFI_cdesc_t* characters) {
  size_t length = characters->elem_len;
  const char* const letters = characters->base_addr;
  while (length > 0 && letters[length - 1] == ' ') --length;
  char* const text = calloc(length + 1, 1);
  if (text == NULL) {
    fputs("tasuki: there is no memory for a text\n", stderr);
    exit(EXIT_FAILURE);
  }
  if (length > 0) memcpy(text, letters, length);
  return text;
}

// As the module's procedures do: without `stat` the program ends after an error.
static void finish(int is_done, int* stat) {
  if (stat != NULL) {
    *stat = is_done ? 0 : 1;
  } else if (!is_done) {
    fprintf(stderr, "%s\n", tasuki_client_error_text());
    exit(EXIT_FAILURE);
  }
}

typedef struct {
  tasuki_argument arguments[most_arguments];
  size_t count;
  int64_t extents[most_arguments][CFI_MAX_RANK];
  int64_t stride_bytes[most_arguments][CFI_MAX_RANK];
} call_arguments;

// Describes the arguments that are given; those after the last one are NULL.
static void describe(const CFI_cdesc_t* const given[most_arguments], call_arguments* call) {
  call->count = 0;
  for (size_t i = 0; i < most_arguments && given[i] != NULL; ++i) {
    call->arguments[i] = argument_of(given[i], call->extents[i], call->stride_bytes[i]);
    ++call->count;
  }
}

void tasuki_client_call_from_fortran(const tasuki_server* server, const CFI_cdesc_t* routine,
                                     CFI_cdesc_t* a1, CFI_cdesc_t* a2, CFI_cdesc_t* a3,
                                     CFI_cdesc_t* a4, CFI_cdesc_t* a5, CFI_cdesc_t* a6,
                                     CFI_cdesc_t* a7, CFI_cdesc_t* a8, CFI_cdesc_t* a9,
                                     CFI_cdesc_t* a10, CFI_cdesc_t* a11, CFI_cdesc_t* a12,
                                     CFI_cdesc_t* a13, CFI_cdesc_t* a14, CFI_cdesc_t* a15,
                                     CFI_cdesc_t* a16, CFI_cdesc_t* a17, CFI_cdesc_t* a18,
                                     CFI_cdesc_t* a19, CFI_cdesc_t* a20, int* stat) {
  const CFI_cdesc_t* const given[most_arguments] = {
      a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20};
  call_arguments call;
  describe(given, &call);
  char* const name = text_of(routine);
  const char* const report =
      tasuki_client_call_routine(server->client, name, call.arguments, call.count);
  free(name);
  finish(report != NULL, stat);
}

void tasuki_client_call_method_from_fortran(
    const tasuki_server* server, const tasuki_object* object, const CFI_cdesc_t* method,
    CFI_cdesc_t* a1, CFI_cdesc_t* a2, CFI_cdesc_t* a3, CFI_cdesc_t* a4, CFI_cdesc_t* a5,
    CFI_cdesc_t* a6, CFI_cdesc_t* a7, CFI_cdesc_t* a8, CFI_cdesc_t* a9, CFI_cdesc_t* a10,
    CFI_cdesc_t* a11, CFI_cdesc_t* a12, CFI_cdesc_t* a13, CFI_cdesc_t* a14, CFI_cdesc_t* a15,
    CFI_cdesc_t* a16, CFI_cdesc_t* a17, CFI_cdesc_t* a18, CFI_cdesc_t* a19, CFI_cdesc_t* a20,
    int* stat) {
  const CFI_cdesc_t* const given[most_arguments] = {
      a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20};
  call_arguments call;
  describe(given, &call);
  char* const name = text_of(method);
  const char* const report = tasuki_client_call_method(server->client, object->name, name,
                                                       call.arguments, call.count);
  free(name);
  finish(report != NULL, stat);
}

void tasuki_client_put_from_fortran(const tasuki_server* server, tasuki_kept_array* kept,
                                    const CFI_cdesc_t* module, const CFI_cdesc_t* routine,
                                    const CFI_cdesc_t* parameter, const CFI_cdesc_t* sizes,
                                    const CFI_cdesc_t* array, int* stat) {
  int64_t extents[CFI_MAX_RANK], stride_bytes[CFI_MAX_RANK];
  const tasuki_argument argument = argument_of(array, extents, stride_bytes);
  const CFI_cdesc_t* const given[] = {module, routine, parameter, sizes};
  enum { texts_count = sizeof given / sizeof given[0] };
  char* texts[texts_count];
  for (int i = 0; i < texts_count; ++i) texts[i] = text_of(given[i]);
  const char* const name =
      tasuki_client_put_argument(server->client, texts[0], texts[1], texts[2], texts[3], &argument);
  for (int i = 0; i < texts_count; ++i) free(texts[i]);
  memset(kept, 0, sizeof *kept);
  if (name != NULL) strncpy(kept->name, name, sizeof kept->name - 1);
  finish(name != NULL, stat);
}
