// The part of module tasuki_client that reads Fortran's descriptions of arrays.
//
// It is compiled with the program, as each Fortran compiler has an ISO_Fortran_binding.h of its
// own.
#include <ISO_Fortran_binding.h>
#include <stddef.h>
#include <tasuki/client.h>

enum { most_arguments = 20 };

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
  return "of a variable that is no number";
}

static tasuki_argument argument_of(const CFI_cdesc_t* array, int64_t* extents,
                                   int64_t* stride_bytes) {
  tasuki_argument argument = {.memory = array->base_addr};
  if (array->type == CFI_type_struct) {  // tasuki_kept_array
    argument.kept = array->base_addr;
    return argument;
  }
  for (CFI_rank_t i = 0; i < array->rank; ++i) {
    extents[i] = array->dim[i].extent;
    stride_bytes[i] = array->dim[i].sm;
  }
  argument.type = type_of(array);
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

const char* tasuki_client_call_from_fortran(tasuki_client* client, const char* routine,
                                            CFI_cdesc_t* a1, CFI_cdesc_t* a2, CFI_cdesc_t* a3,
                                            CFI_cdesc_t* a4, CFI_cdesc_t* a5, CFI_cdesc_t* a6,
                                            CFI_cdesc_t* a7, CFI_cdesc_t* a8, CFI_cdesc_t* a9,
                                            CFI_cdesc_t* a10, CFI_cdesc_t* a11, CFI_cdesc_t* a12,
                                            CFI_cdesc_t* a13, CFI_cdesc_t* a14, CFI_cdesc_t* a15,
                                            CFI_cdesc_t* a16, CFI_cdesc_t* a17, CFI_cdesc_t* a18,
                                            CFI_cdesc_t* a19, CFI_cdesc_t* a20) {
  const CFI_cdesc_t* const given[most_arguments] = {
      a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, a17, a18, a19, a20};
  int64_t extents[most_arguments][CFI_MAX_RANK], stride_bytes[most_arguments][CFI_MAX_RANK];
  tasuki_argument arguments[most_arguments];
  size_t count = 0;
  for (; count < most_arguments && given[count] != NULL; ++count) {
    arguments[count] = argument_of(given[count], extents[count], stride_bytes[count]);
  }
  return tasuki_client_call_routine(client, routine, arguments, count);
}

const char* tasuki_client_put_from_fortran(tasuki_client* client, const char* module,
                                           const char* routine, const char* parameter,
                                           const char* scalars, CFI_cdesc_t* array) {
  int64_t stride_bytes[CFI_MAX_RANK];
  char* lowest = array->base_addr;
  int64_t memory_bytes = (int64_t)array->elem_len;
  for (CFI_rank_t i = 0; i < array->rank; ++i) {
    const int64_t reach_bytes = array->dim[i].sm * (array->dim[i].extent - 1);
    stride_bytes[i] = array->dim[i].sm;
    memory_bytes += reach_bytes < 0 ? -reach_bytes : reach_bytes;
    if (reach_bytes < 0) lowest += reach_bytes;
  }
  const tasuki_array described = {.memory = lowest,
                                  .memory_bytes = (size_t)memory_bytes,
                                  .first_offset_bytes = (char*)array->base_addr - lowest,
                                  .stride_bytes = stride_bytes,
                                  .dimensions = (size_t)array->rank};
  return tasuki_client_put(client, module, routine, parameter, scalars, &described);
}
