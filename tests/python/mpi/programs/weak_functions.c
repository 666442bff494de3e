/* A library that asks, as mpi4py's wheels do, whether the MPI has functions of MPI 4; then it calls
 * one, if told to. */
#include <stdio.h>
#include <string.h>

int MPI_Init(int* argc, char*** argv);
int MPI_Finalize(void);
int MPI_Allreduce_c() __attribute__((weak));
int MPI_Send_c() __attribute__((weak));
int MPI_Isendrecv_c();

int run(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  printf("MPI_Allreduce_c %d, MPI_Send_c %d\n", MPI_Allreduce_c != NULL, MPI_Send_c != NULL);
  fflush(stdout);
  if (strcmp(argv[argc - 1], "call") == 0) MPI_Isendrecv_c();
  return MPI_Finalize();
}
