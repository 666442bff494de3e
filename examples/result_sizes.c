// examples/result_sizes.c
#include <stdio.h>
#include <stdlib.h>
#include <tasuki/client.h>

// Solves 2 x + y = 5, x + 3 y = 10 on the server of TASUKI_SERVER, which says how large x is.
int main(void) {
  int n = 2;
  double a[2][2] = {{2, 1}, {1, 3}}, b[2] = {5, 10};
  tasuki_argument arguments[4] = {{.memory = &n, .type = "int32"}, {.memory = a}, {.memory = b}};
  const tasuki_result* result;
  tasuki_client* client = tasuki_client_open(NULL);
  if (client == NULL ||
      tasuki_client_missing_results(client, "linpack/solve", arguments, 3, &result) != 1) {
    fprintf(stderr, "%s\n", tasuki_client_error_text());
    return 1;
  }
  printf("%s[%lld] at %zu\n", result->type, (long long)result->extents[0], result->position);
  double* x = malloc(result->bytes);
  arguments[result->position].memory = x;
  if (tasuki_client_call_routine(client, "linpack/solve", arguments, 4) != NULL) {
    printf("x = %g, y = %g\n", x[0], x[1]);
  }
  free(x);
  tasuki_client_close(client);
  return 0;
}
