/* Collectives that Tasuki leaves to the MPI library: an operator of the program, a datatype of
 * pairs, an intercommunicator, no data. */
#include <mpi.h>
#include <stdio.h>

static void keep_last(void *in, void *in_out, int *count, MPI_Datatype *type) {
  (void)in, (void)in_out, (void)count, (void)type;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < 4; ++i) MPI_Barrier(MPI_COMM_WORLD);

  MPI_Op last;
  MPI_Op_create(keep_last, 0, &last);
  int value = rank, result = -1;
  MPI_Allreduce(&value, &result, 1, MPI_INT, last, MPI_COMM_WORLD);
  struct { double value; int rank; } own = {rank, rank}, most;
  MPI_Allreduce(&own, &most, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
  MPI_Bcast(NULL, 0, MPI_INT, 0, MPI_COMM_WORLD);

  MPI_Comm half, between;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 0, &between);
  int sum = 0;
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, between);
  printf("%d %d %d\n", result == size - 1, most.rank == size - 1,
         sum % 2 == 1 - rank % 2 || size > 2);
  MPI_Comm_free(&between);
  MPI_Comm_free(&half);
  MPI_Op_free(&last);
  MPI_Finalize();
  return 0;
}
