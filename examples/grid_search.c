// examples/grid_search.c
#include <grpc.h>
#include <stdio.h>
#include <stdlib.h>

// Runs here, for the routine on the server.
static void parabola(double* x, double* value) { *value = (*x - 3) * (*x - 3); }

static int fail(const char* text) {
  grpc_perror_np(text);
  return 1;
}

// Calls examples/minimum.idl on the server of TASUKI_SERVER: texts, a function and a file, which is
// named. Another call goes on meanwhile, and has its arguments on a stack.
int main(int argc, char** argv) {
  int steps = 40;
  double first = 0, second = 5;
  char *message = NULL, *other_message = NULL;
  grpc_function_handle_t search;
  grpc_sessionid_t session;
  grpc_arg_stack_t stack;
  if (argc != 3) return 2;
  void* const arguments[] = {"halving", &steps, (void*)parabola, &second, (void*)&other_message,
                             argv[2]};
  if (grpc_initialize(NULL) != GRPC_NO_ERROR ||
      grpc_function_handle_default(&search, "minimum/search") != GRPC_NO_ERROR ||
      grpc_arg_stack_init(&stack, 6) != GRPC_NO_ERROR) {
    return fail("begin");
  }
  for (int i = 0; i < 6; ++i) grpc_arg_stack_push_arg(&stack, arguments[i]);
  if (grpc_call_argstack_async(&search, &session, &stack) != GRPC_NO_ERROR ||
      grpc_call(&search, "halving", steps, parabola, &first, &message, argv[1]) != GRPC_NO_ERROR ||
      grpc_wait(session) != GRPC_NO_ERROR) {
    return fail("search");
  }
  printf("minima at %.3f and %.3f, %s, %s\n", first, second, message, other_message);
  free(message);
  free(other_message);
  if (grpc_call(&search, "guessing", 1, parabola, &first, &message, argv[1]) != GRPC_NO_ERROR) {
    grpc_perror_np("search");
  }
  grpc_arg_stack_destruct(&stack);
  return grpc_finalize();
}
