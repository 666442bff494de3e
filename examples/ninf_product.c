// examples/ninf_product.c
#include <ninf.h>
#include <stdio.h>

// Multiplies two matrices: ninf_product [-server HOST] [-port PORT] [ROUTINE]
int main(int argc, char** argv) {
  enum { n = 2 };
  double A[n][n] = {{1, 2}, {3, 4}}, B[n][n] = {{0, 1}, {1, 0}}, C[n][n];
  argc = Ninf_parse_arg(argc, argv);
  if (Ninf_call(argc > 1 ? argv[1] : "dmmul", n, A, B, C) == NINF_ERROR) {
    Ninf_perror("dmmul");
    return 1;
  }
  printf("%g %g\n%g %g\n", C[0][0], C[0][1], C[1][0], C[1][1]);
  return 0;
}
