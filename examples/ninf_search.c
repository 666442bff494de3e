// examples/ninf_search.c
#include <ninf.h>
#include <stdio.h>
#include <stdlib.h>

// Runs here, for the routine on the server.
static void parabola(double* x, double* value) { *value = (*x - 3) * (*x - 3); }

// Calls examples/minimum.idl: texts, a function and a file. ninf_search [-port PORT] FILE
int main(int argc, char** argv) {
  double x = 0;
  char* message = NULL;
  argc = Ninf_parse_arg(argc, argv);
  if (argc != 2) return 2;
  if (Ninf_call("search", "halving", 40, parabola, &x, &message, argv[1]) == NINF_ERROR) {
    Ninf_perror("search");
    return 1;
  }
  printf("minimum at %.3f, %s\n", x, message);
  free(message);
  return 0;
}
