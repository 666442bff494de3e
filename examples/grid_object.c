// examples/grid_object.c
#include <grpc.h>
#include <stdio.h>

static void show(const char* function, grpc_error_t error) {
  printf("%s: %s\n", function, grpc_error_string(error));
}

// Counts with two objects of examples/counter.idl on the server whose address is given, which is
// that of TASUKI_SERVER, too.
int main(int argc, char** argv) {
  int64_t now[2] = {0, 0}, step = 10;
  grpc_object_handle_t_np counters[2], *begun_by = NULL;
  grpc_sessionid_t session;
  grpc_arg_stack_t stack;
  if (argc != 2 || grpc_initialize(NULL) != GRPC_NO_ERROR ||
      grpc_object_handle_default_np(&counters[0], "stats/Counter") != GRPC_NO_ERROR ||
      grpc_object_handle_init_np(&counters[1], argv[1], "Counter") != GRPC_NO_ERROR ||
      grpc_arg_stack_init(&stack, 2) != GRPC_NO_ERROR) {
    grpc_perror_np("begin");
    return 1;
  }
  show("invoke", grpc_invoke_np(&counters[0], "add", (int64_t)5, &now[0]));
  show("invoke_async", grpc_invoke_async_np(&counters[1], "add", &session, (int64_t)1000, &now[1]));
  grpc_object_handle_get_from_session_np(&begun_by, session);
  printf("begun by the second: %d\n", begun_by == &counters[1]);
  show("wait", grpc_wait(session));
  printf("%lld %lld\n", (long long)now[0], (long long)now[1]);

  grpc_arg_stack_push_arg(&stack, &step);
  grpc_arg_stack_push_arg(&stack, &now[0]);
  printf("invoke_arg_stack: %d\n", grpc_invoke_arg_stack_np(&counters[0], "add", &stack));
  session = grpc_invoke_arg_stack_async_np(&counters[0], "add", &stack);
  grpc_arg_stack_destruct(&stack);
  show("wait", grpc_wait(session));
  printf("%lld\n", (long long)now[0]);

  show("subtract", grpc_invoke_np(&counters[0], "subtract", (int64_t)1, &now[0]));
  show("destruct", grpc_object_handle_destruct_np(&counters[0]));
  show("destructed", grpc_invoke_np(&counters[0], "add", (int64_t)1, &now[0]));
  return grpc_finalize();  // Frees the other one.
}
