// examples/grid_stack.c
#include <grpc.h>
#include <stdio.h>

// Multiplies two matrices on the server of TASUKI_SERVER by calls whose arguments are on a stack.
int main(void) {
  int n = 2;
  double a[2][2] = {{1, 2}, {3, 4}}, b[2][2] = {{0, 1}, {1, 0}}, c[2][2], d[2][2];
  void* const arguments[] = {&n, a, b, c};
  grpc_function_handle_t dmmul;
  grpc_sessionid_t session;
  grpc_arg_stack_t stack;
  grpc_arg_stack_t* on_heap = grpc_arg_stack_new(4);  // As programs of Ninf-G make it.
  if (on_heap == NULL || grpc_arg_stack_init(&stack, 4) != GRPC_NO_ERROR ||
      grpc_initialize(NULL) != GRPC_NO_ERROR ||
      grpc_function_handle_default(&dmmul, "dmmul") != GRPC_NO_ERROR) {
    grpc_perror_np("begin");
    return 1;
  }
  for (int i = 0; i < 4; ++i) {
    grpc_arg_stack_push_arg(&stack, arguments[i]);
    grpc_arg_stack_push_arg(on_heap, arguments[i]);
  }
  printf("%s\n", grpc_error_string(grpc_call_argstack(&dmmul, &stack)));
  if (grpc_arg_stack_pop_arg(on_heap) != c || grpc_arg_stack_push_arg(on_heap, d) != 0) return 1;
  printf("%d\n", grpc_call_arg_stack(&dmmul, on_heap));
  printf("%g %g, %g %g\n", c[0][0], c[0][1], d[1][0], d[1][1]);

  a[0][0] = 5;
  grpc_call_argstack_async(&dmmul, &session, &stack);
  grpc_arg_stack_destruct(&stack);
  printf("%s\n", grpc_error_string(grpc_wait(session)));
  session = grpc_call_arg_stack_async(&dmmul, on_heap);
  grpc_arg_stack_destruct(on_heap);
  printf("%s\n", grpc_error_string(grpc_wait(session)));
  printf("%g, %g\n", c[0][1], d[0][1]);
  return grpc_finalize();
}
