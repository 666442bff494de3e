// examples/routine.c
#include <stdio.h>
#include <tasuki/client.h>

// Solves 2 x + y = 5, x + 3 y = 10 on the server whose address is given, or is in TASUKI_SERVER.
int main(int argc, char** argv) {
  tasuki_client* client = tasuki_client_open(argc > 1 ? argv[1] : NULL);
  if (client == NULL) {
    fprintf(stderr, "%s\n", tasuki_client_error_text());
    return 1;
  }
  int n = 2;
  double a[2][2] = {{2, 1}, {1, 3}}, b[2] = {5, 10}, x[2];
  const int64_t shape[] = {2, 2};
  const tasuki_argument arguments[] = {
      {.memory = &n, .type = "int32"},
      {.memory = a, .type = "float64", .extents = shape, .dimensions = 2},
      {.memory = b, .type = "float64", .extents = shape, .dimensions = 1},
      {.memory = x, .type = "float64", .extents = shape, .dimensions = 1}};
  const char* report = tasuki_client_call_routine(client, "linpack/solve", arguments, 4);
  if (report == NULL) {
    fprintf(stderr, "%s\n", tasuki_client_error_text());
  } else {
    printf("x = %g, y = %g\n", x[0], x[1]);
  }
  tasuki_client_close(client);
  return report == NULL;
}
