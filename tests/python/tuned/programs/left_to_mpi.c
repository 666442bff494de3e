/* Collectives that Tasuki leaves to the MPI library: an operator of the program, a datatype of
 * pairs, an intercommunicator, no data; those that do not block, and those of neighbours. */
#include <mpi.h>
#include <stdio.h>

static void keep_last(void *in, void *in_out, int *count, MPI_Datatype *type) {
  (void)in, (void)in_out, (void)count, (void)type;
}

/* Each of a kind that is always left. Returns whether all have done what they should. */
static int always_left(int rank, int size) {
  MPI_Request request;
  int sum = 0, sums = 0;
  MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  sums += sum;
#if MPI_VERSION >= 4
  sum = 0;
  MPI_Allreduce_init(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  MPI_Start(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Request_free(&request);
#endif
  sums += sum;

  MPI_Comm ring;
  int is_periodic = 1, beside[2] = {-1, -1};
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &is_periodic, 0, &ring);
  MPI_Neighbor_allgather(&rank, 1, MPI_INT, beside, 1, MPI_INT, ring);
  MPI_Comm_free(&ring);
  return sums == size * (size - 1) && beside[0] == (rank + size - 1) % size &&
         beside[1] == (rank + 1) % size;
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
  printf("%d %d %d %d\n", result == size - 1, most.rank == size - 1,
         sum % 2 == 1 - rank % 2 || size > 2, always_left(rank, size));
  MPI_Comm_free(&between);
  MPI_Comm_free(&half);
  MPI_Op_free(&last);
  MPI_Finalize();
  return 0;
}
