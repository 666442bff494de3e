// examples/progress.c
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <tasuki/client.h>

static volatile sig_atomic_t interrupted = 0;
static void note(int number) { interrupted = number; }
static int is_interrupted(void) { return interrupted; }

// Reads letters: p shows how far the call is, c cancels it, e ends the client.
static void* obey(void* client) {
  for (int letter = getchar(); letter != EOF; letter = getchar()) {
    int64_t moved_bytes, total_bytes;
    tasuki_client_progress(client, &moved_bytes, &total_bytes);
    if (letter == 'p')
      printf("%lld of %lld bytes\n", (long long)moved_bytes, (long long)total_bytes);
    if (letter == 'c') tasuki_client_cancel(client);
    if (letter == 'e') tasuki_client_end(client);
    fflush(stdout);
  }
  return NULL;
}

// Solves n equations, unless the call is cancelled, or interrupted by Ctrl-C.
int main(int argc, char** argv) {
  const size_t n = argc > 2 ? strtoul(argv[2], NULL, 10) : 100;
  tasuki_client* client = tasuki_client_connect("localhost", argc > 1 ? atoi(argv[1]) : 7777);
  if (client == NULL) {
    fprintf(stderr, "%s\n", tasuki_client_error_text());
    return 1;
  }
  tasuki_client_set_mode(client, "hand-off");            // Whose bytes are counted one by one.
  const struct sigaction action = {.sa_handler = note};  // Without SA_RESTART.
  sigaction(SIGINT, &action, NULL);
  tasuki_client_check_interrupts(is_interrupted);
  pthread_t other;
  pthread_create(&other, NULL, obey, client);

  double *a = calloc(n * n, sizeof *a), *b = calloc(n, sizeof *b), *x = calloc(n, sizeof *x);
  for (size_t i = 0; i < n; ++i) a[i * n + i] = b[i] = 1;
  const int64_t stride_bytes[] = {(int64_t)(n * sizeof *a), sizeof *a};
  const tasuki_array arrays[] = {{a, n * n * sizeof *a, 0, stride_bytes, 2},
                                 {b, n * sizeof *b, 0, stride_bytes + 1, 1},
                                 {x, n * sizeof *x, 0, stride_bytes + 1, 1}};
  char scalars[40];
  snprintf(scalars, sizeof scalars, "{\"n\": %zu}", n);
  const char* report = tasuki_client_call(client, "linpack", "solve", scalars, arrays, 3);
  if (report == NULL) {
    fprintf(stderr, "%s\n", tasuki_client_error_text());
  } else {
    printf("x[0] = %g\n", x[0]);
  }
  pthread_join(other, NULL);
  tasuki_client_close(client);
  return report == NULL;
}
