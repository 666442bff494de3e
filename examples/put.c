// examples/put.c
#include <stdio.h>
#include <tasuki/client.h>

// Leaves a matrix on the ranks of the server of TASUKI_SERVER, and lists what programs of this user
// have left there.
int main(void) {
  double a[2][2] = {{2, 1}, {1, 3}}, b[2] = {5, 10}, x[2];
  const int64_t extents[] = {2, 2};
  const tasuki_argument matrix = {
      .memory = a, .type = "float64", .extents = extents, .dimensions = 2};
  const tasuki_kept* kept = NULL;
  const char* name = NULL;
  int n = 2, count = -1;
  tasuki_client* client = tasuki_client_open(NULL);
  if (client != NULL) {
    name = tasuki_client_put_argument(client, "linpack", "solve", "A", "{\"n\": 2}", &matrix);
  }
  if (name != NULL) count = tasuki_client_list_kept(client, &kept);
  for (int i = 0; i < count; ++i) {
    printf("%s of %s: %s, %lld bytes\n", kept[i].what, kept[i].module,
           kept[i].type != NULL ? kept[i].type : "object", (long long)kept[i].bytes);
  }
  const tasuki_argument arguments[] = {
      {.memory = &n, .type = "int32"}, {.kept = name}, {.memory = b}, {.memory = x}};
  if (name == NULL || count < 0 ||
      tasuki_client_call_routine(client, "linpack/solve", arguments, 4) == NULL) {
    fprintf(stderr, "%s\n", tasuki_client_error_text());
    return 1;
  }
  printf("x = %g, y = %g\n", x[0], x[1]);
  tasuki_client_close(client);
  return 0;
}
