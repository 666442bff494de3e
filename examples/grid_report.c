// examples/grid_report.c
#include <grpc.h>
#include <stdio.h>

static double seconds(struct timeval time) { return (double)time.tv_sec + time.tv_usec / 1e6; }

static void show(const grpc_session_info_t_np* info) {
  printf(
      "%s, %zu ranks: client %.6f s, front end %.6f s, to the ranks %.6f s, there %.6f s, back "
      "%.6f s\n",
      info->report.mode, info->report.ranks_count,
      seconds(info->gei_measureClient.calculationRealTime), info->report.front_end_s,
      seconds(info->gei_measureExecutable.transferArgumentToRemoteRealTime),
      seconds(info->gei_measureExecutable.calculationRealTime),
      seconds(info->gei_measureExecutable.transferResultToClientRealTime));
}

// Multiplies two matrices on the server of TASUKI_SERVER, and tells where the time went.
int main(void) {
  double a[2][2] = {{1, 2}, {3, 4}}, b[2][2] = {{0, 1}, {1, 0}}, c[2][2];
  grpc_function_handle_t dmmul;
  grpc_sessionid_t session;
  grpc_session_info_t_np last, *info;
  int status;
  if (grpc_initialize(NULL) != GRPC_NO_ERROR ||
      grpc_function_handle_default(&dmmul, "matrices/dmmul") != GRPC_NO_ERROR ||
      grpc_call(&dmmul, 2, a, b, c) != GRPC_NO_ERROR ||
      grpc_get_last_info_np(&last, &status) != GRPC_NO_ERROR) {
    grpc_perror_np("call");
    return 1;
  }
  show(&last);
  if (grpc_call_async(&dmmul, &session, 2, a, b, c) != GRPC_NO_ERROR ||
      grpc_wait(session) != GRPC_NO_ERROR ||
      grpc_session_info_get_np(session, &info, &status) != GRPC_NO_ERROR) {
    grpc_perror_np("session");
    return 1;
  }
  printf("done: %d\n", status == GRPC_SESSION_DONE);
  show(info);
  grpc_session_info_release_np(info);
  return grpc_finalize();
}
