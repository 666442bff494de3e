// examples/grid_sessions.c
#include <grpc.h>
#include <stdio.h>

static void show(const char* function, grpc_error_t error) {
  printf("%s: %s\n", function, grpc_error_string(error));
}

// Begins calls that go on at the same time on the server whose address is given.
int main(int argc, char** argv) {
  enum { count = 4 };
  double a[2][2] = {{1, 2}, {3, 4}}, b[2][2] = {{0, 1}, {1, 0}}, c[count][2][2];
  grpc_function_handle_t dmmul, rest, *begun_by = NULL;
  grpc_sessionid_t sessions[count], one;
  if (argc < 2 || grpc_initialize(NULL) != GRPC_NO_ERROR ||
      grpc_function_handle_init(&dmmul, argv[1], "matrices/dmmul") != GRPC_NO_ERROR ||
      grpc_function_handle_init(&rest, argv[1], "matrices/rest") != GRPC_NO_ERROR) {
    grpc_perror_np("begin");
    return 1;
  }
  for (int i = 0; i < count; ++i) {
    if (grpc_call_async(&dmmul, &sessions[i], 2, a, b, c[i]) != GRPC_NO_ERROR) return 1;
  }
  show("wait", grpc_wait(sessions[0]));
  show("wait_or", grpc_wait_or(sessions, count, &one));
  show("wait_and", grpc_wait_and(sessions, count));
  printf("%g %g %g %g\n", c[0][0][0], c[1][0][1], c[2][1][0], c[3][1][1]);

  for (int i = 0; i < 2; ++i) grpc_call_async(&rest, &sessions[i], 3600);  // They take turns.
  grpc_get_handle(&begun_by, sessions[0]);
  printf("begun by rest: %d\n", begun_by == &rest);
  show("probe", grpc_probe(sessions[0]));
  show("probe_or", grpc_probe_or(sessions, 2, &one));
  grpc_cancel(sessions[0]);
  show("wait_any", grpc_wait_any(&one));
  printf("the one cancelled: %d\n", one == sessions[0]);
  show("last_error_get_np", grpc_last_error_get_np());
  grpc_cancel_all();
  show("wait_all", grpc_wait_all());
  grpc_get_failed_sessionid(&one);
  printf("the other one failed: %d\n", one == sessions[1]);
  show("get_error", grpc_get_error(one));
  return grpc_finalize();
}
