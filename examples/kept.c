// examples/kept.c
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tasuki/client.h>

// Leaves a matrix on the ranks, and solves equations with it twice.
int main(int argc, char** argv) {
  tasuki_client* client = tasuki_client_connect("localhost", argc > 1 ? atoi(argv[1]) : 7777);
  if (client == NULL || !tasuki_client_is_connected(client)) {
    fprintf(stderr, "%s\n", tasuki_client_error_text());
    return 1;
  }
  tasuki_client_set_mode(client, argc > 2 ? argv[2] : "auto");
  tasuki_client_set_wire_format(client, argc > 3 ? argv[3] : "native");
  double a[2][2] = {{2, 1}, {1, 3}}, b[2] = {5, 10}, x[2];
  const int64_t stride_bytes[] = {sizeof a[0], sizeof a[0][0]};
  tasuki_array arrays[] = {{a, sizeof a, 0, stride_bytes, 2, NULL},
                           {b, sizeof b, 0, stride_bytes + 1, 1, NULL},
                           {x, sizeof x, 0, stride_bytes + 1, 1, NULL}};
  const char* sizes = "{\"n\": 2}";
  const char* kept = tasuki_client_put(client, "linpack", "solve", "A", sizes, &arrays[0]);
  arrays[0].kept = kept;
  for (int i = 0; kept != NULL && i < 2; ++i) {
    if (tasuki_client_call(client, "linpack", "solve", sizes, arrays, 3) == NULL) break;
    printf("x = %g, y = %g\n", x[0], x[1]);
    b[0] *= 2;
    b[1] *= 2;
  }
  const char* left = tasuki_client_kept(client);  // Also by other clients of the user.
  printf("%s\n", left != NULL && strstr(left, "\"solve\"") ? "solve's matrix is there" : "lost");
  if (kept == NULL || tasuki_client_discard(client, kept) != 1 ||
      tasuki_client_free(client, "linpack", kept) != 0) {
    fprintf(stderr, "%s\n", tasuki_client_error_text());
  } else if (tasuki_client_call(client, "linpack", "solve", sizes, arrays, 3) == NULL) {
    puts(strstr(tasuki_client_error(), "lost-array") ? "lost-array" : tasuki_client_error());
  }
  tasuki_client_close(client);
  return kept == NULL;
}
