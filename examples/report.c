// examples/report.c
#include <stdio.h>
#include <tasuki/client.h>

// Solves 2 x + y = 5, x + 3 y = 10 on the server of TASUKI_SERVER, and tells where the time went.
int main(void) {
  int n = 2;
  double a[2][2] = {{2, 1}, {1, 3}}, b[2] = {5, 10}, x[2];
  const tasuki_argument arguments[] = {
      {.memory = &n, .type = "int32"}, {.memory = a}, {.memory = b}, {.memory = x}};
  tasuki_client* client = tasuki_client_open(NULL);
  if (client == NULL || tasuki_client_set_mode(client, "hand-off") != 0 ||
      tasuki_client_call_routine(client, "linpack/solve", arguments, 4) == NULL) {
    fprintf(stderr, "%s\n", tasuki_client_error_text());
    return 1;
  }
  const tasuki_report* report = tasuki_client_last_report(client);
  printf("%s on %s, %s: %lld bytes there, %lld back\n", report->mode, report->server, report->wire,
         (long long)report->sent_bytes, (long long)report->received_bytes);
  printf("client %.6f s, front end %.6f s, computation %.6f s\n", report->client_s,
         report->front_end_s, report->computation_s);
  for (size_t i = 0; i < report->ranks_count; ++i) {
    const tasuki_rank_report* rank = &report->ranks[i];
    printf("rank %zu: received for %.6f s, computed for %.6f s by %.1f threads, sent for %.6f s\n",
           i, rank->receive_s, rank->compute_s, rank->threads, rank->send_s);
  }
  tasuki_client_close(client);
  return 0;
}
