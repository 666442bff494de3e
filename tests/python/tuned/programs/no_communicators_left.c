/* Takes all communicators that the MPI library has, and then calls what needs no more of them. Its
 * error handler prints that it was called. */
#include <mpi.h>
#include <stdio.h>

static void handle(MPI_Comm* comm, int* code, ...) { puts("the program's error handler"); }

int main(int argc, char** argv) {
  int rank;
  MPI_Comm own, one;
  MPI_Errhandler handler;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &own);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  while (MPI_Comm_dup(MPI_COMM_WORLD, &one) == MPI_SUCCESS) {
  }
  MPI_Comm_create_errhandler(handle, &handler);
  MPI_Comm_set_errhandler(own, handler);
  for (int count = 0; count < 10; ++count) MPI_Barrier(own);
  puts("done");
  MPI_Finalize();
  return 0;
}
