// examples/servers.c
#include <stdio.h>
#include <tasuki/client.h>

// Solves 2 x + y = 5, x + 3 y = 10 again for each line that it reads, on one of several servers,
// whose addresses have commas in between: servers tasuki://a:7777,tasuki://b:7777
int main(int argc, char** argv) {
  tasuki_client* client = tasuki_client_open(argc > 1 ? argv[1] : NULL);
  if (client == NULL) {
    fprintf(stderr, "%s\n", tasuki_client_error_text());
    return 1;
  }
  for (int letter = getchar(); letter != EOF; letter = getchar()) {
    if (letter != '\n') continue;
    int64_t n = 2;
    double a[2][2] = {{2, 1}, {1, 3}}, b[2] = {5, 10}, x[2];
    const tasuki_argument arguments[] = {
        {.memory = &n, .type = "int64"}, {.memory = a}, {.memory = b}, {.memory = x}};
    if (tasuki_client_call_routine(client, "linpack/solve", arguments, 4) != NULL) {
      printf("x = %g, y = %g on %s\n", x[0], x[1], tasuki_client_server(client));
    } else if (tasuki_client_may_have_run()) {  // Whether to call again is for the program to know.
      printf("it may have run: %s\n", tasuki_client_error_text());
    } else {
      printf("it has not run: %s: %s\n", tasuki_client_error_kind(), tasuki_client_error_text());
    }
    fflush(stdout);
  }
  tasuki_client_close(client);
  return 0;
}
