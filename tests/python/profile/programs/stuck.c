// Ranks that do not come to their end, in the way that the argument names.
#include <mpi.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static void receive_from(int rank) {
  int value = 0;
  MPI_Recv(&value, 1, MPI_INT, rank, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
  int rank = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  if (strcmp(argv[1], "deadlock") == 0) {
    receive_from(1 - rank);
  } else if (strcmp(argv[1], "missing") == 0) {
    if (rank == 1) {
      for (;;) pause();
    }
    int value = 0, sum = 0;
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  } else if (strcmp(argv[1], "abort") == 0) {
    if (rank == 1) MPI_Abort(MPI_COMM_WORLD, 3);
    receive_from(1);
  } else {
    if (rank == 1) raise(SIGKILL);
    receive_from(1);
  }
  return MPI_Finalize();
}
