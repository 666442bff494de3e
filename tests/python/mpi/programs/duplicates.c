/* Two duplicates of MPI_COMM_WORLD that are made without blocking, and a duplicate of one. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm duplicates[3];
  MPI_Request requests[2];
  for (int i = 0; i < 2; ++i) MPI_Comm_idup(MPI_COMM_WORLD, &duplicates[i], &requests[i]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  MPI_Comm_dup(duplicates[0], &duplicates[2]);
  for (int i = 0; i < 3; ++i) {
    MPI_Barrier(duplicates[i]);
    MPI_Comm_free(&duplicates[i]);
  }
  printf("done\n");
  MPI_Finalize();
  return 0;
}
