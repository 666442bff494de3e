// examples/linear_equations.c
#include <stdio.h>
#include <stdlib.h>
#include <tasuki/client.h>

// Solves 2 x + y = 5, x + 3 y = 10 on the server whose port is given.
int main(int argc, char** argv) {
  tasuki_client* client = tasuki_client_connect("localhost", argc > 1 ? atoi(argv[1]) : 7777);
  if (client == NULL) {
    fprintf(stderr, "%s\n", tasuki_client_error_text());
    return 1;
  }
  printf("%.60s...\n", tasuki_client_interfaces(client));

  double a[2][2] = {{2, 1}, {1, 3}}, b[2] = {5, 10}, x[2];
  const int64_t matrix_stride_bytes[] = {sizeof a[0], sizeof a[0][0]};
  const int64_t vector_stride_bytes[] = {sizeof b[0]};
  const tasuki_array arrays[] = {{a, sizeof a, 0, matrix_stride_bytes, 2},
                                 {b, sizeof b, 0, vector_stride_bytes, 1},
                                 {x, sizeof x, 0, vector_stride_bytes, 1}};
  const char* report = tasuki_client_call(client, "linpack", "solve", "{\"n\": 2}", arrays, 3);
  if (report == NULL) {
    fprintf(stderr, "%s\n", tasuki_client_error_text());
  } else {
    printf("x = %g, y = %g\n", x[0], x[1]);
  }
  tasuki_client_close(client);
  return report == NULL;
}
