// examples/grid_product.c
#include <grpc.h>
#include <stdio.h>

// Multiplies two matrices on the server that TASUKI_SERVER or a configuration file names.
int main(int argc, char** argv) {
  double a[2][2] = {{1, 2}, {3, 4}}, b[2][2] = {{0, 1}, {1, 0}}, c[2][2];
  grpc_function_handle_t dmmul;
  grpc_error_t error = grpc_initialize(argc > 1 ? argv[1] : NULL);
  if (error == GRPC_NO_ERROR) error = grpc_function_handle_default(&dmmul, "dmmul");
  if (error == GRPC_NO_ERROR) error = grpc_call(&dmmul, 2, a, b, c);
  if (error != GRPC_NO_ERROR) {
    grpc_perror_np(grpc_error_string(error));
    return 1;
  }
  printf("%g %g\n%g %g\n", c[0][0], c[0][1], c[1][0], c[1][1]);
  grpc_function_handle_destruct(&dmmul);
  return grpc_finalize();
}
