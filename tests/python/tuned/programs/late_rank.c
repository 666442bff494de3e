// Ranks on one core, the argument: one that waits in a collective sleeps until the other comes.
#define _GNU_SOURCE
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const double deadline_s = 60;
static const long sleeps_wanted = 10;

// How often the process has given its core away by itself; to yield does not count.
static long sleeps_of(int process) {
  char line[256];
  snprintf(line, sizeof line, "/proc/%d/status", process);
  FILE* status = fopen(line, "r");
  long sleeps = 0;
  while (status && fgets(line, sizeof line, status)) {
    sscanf(line, "voluntary_ctxt_switches: %ld", &sleeps);
  }
  if (status) fclose(status);
  return sleeps;
}

int main(int argc, char** argv) {
  cpu_set_t core;
  CPU_ZERO(&core);
  CPU_SET(atoi(argv[1]), &core);
  sched_setaffinity(0, sizeof core, &core);
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int waiting = getpid();
  MPI_Bcast(&waiting, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 1) {
    const long before = sleeps_of(waiting);
    const double start_s = MPI_Wtime();
    long sleeps = 0;
    while (sleeps < sleeps_wanted && MPI_Wtime() - start_s < deadline_s) {
      usleep(1000);
      sleeps = sleeps_of(waiting) - before;
    }
    puts(sleeps < sleeps_wanted ? "it does not sleep" : "it sleeps");
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
