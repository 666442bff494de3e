/* Ends, or goes on, in ways that few programs do. The first argument names the way. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int is(const char* way, const char* name) { return strcmp(way, name) == 0; }

static void before_init(void) {
  int flag, version, subversion;
  MPI_Initialized(&flag);
  MPI_Get_version(&version, &subversion);
  printf("before: initialized %d, version %d.%d\n", flag, version, subversion);
}

static void call_to_nobody(void) { MPI_Send(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD); }

/* What a child says comes before what its parent says of it. */
static void report(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  printf("child: %d %d\n", WIFEXITED(status), WEXITSTATUS(status));
}

static void children(void) {
  fflush(stdout);
  for (int way = 0; way < 4; ++way) {
    const pid_t child = fork();
    if (child == 0) {
      if (way == 0) _exit(7);
      if (way == 1) exit(8);
      if (way == 2) execlp("sh", "sh", "-c", "exit 9", (char*)NULL);
      for (int i = 0; i < 10; ++i) call_to_nobody();
      _exit(10);
    }
    report(child);
  }
}

static void handle(int signal) {
  call_to_nobody();
  MPI_Abort(MPI_COMM_WORLD, 5);
}

int main(int argc, char** argv) {
  const char* const way = argv[1];
  before_init();
  fflush(stdout);
  if (is(way, "send_before_init")) call_to_nobody();
  if (is(way, "abort_before_init")) MPI_Abort(MPI_COMM_WORLD, 3);
  if (is(way, "exit_before_init")) return 4;
  MPI_Init(&argc, &argv);
  call_to_nobody();
  if (is(way, "children")) children();
  if (is(way, "MPI_Abort")) MPI_Abort(MPI_COMM_WORLD, 3);
  if (is(way, "abort")) abort();
  if (is(way, "exit")) exit(4);
  if (is(way, "_exit")) _exit(4);
  if (is(way, "SIGSEGV")) raise(SIGSEGV);
  if (is(way, "SIGTERM")) raise(SIGTERM);
  if (is(way, "handler")) {
    /* Not SIGTERM, which launchers send to what has called MPI_Abort. */
    signal(SIGUSR1, handle);
    raise(SIGUSR1);
  }
  for (int i = 0; is(way, "many_calls") && i < 50000; ++i) call_to_nobody();
  MPI_Finalize();
  int flag;
  MPI_Finalized(&flag);
  printf("after: finalized %d\n", flag);
  fflush(stdout);
  if (is(way, "send_after_finalize")) call_to_nobody();
  return 0;
}
