/* Communicators of the same ranks that are made and freed in a loop; then 80 with the ranks in
 * different orders, which needs 5 ranks; then one more. Prints OK. */
#include <mpi.h>
#include <stdio.h>

enum { loops = 200, orders = 80 };

/* Six calls. Returns whether all sums are right. */
static int sums_are_right(MPI_Comm comm) {
  int rank, size, is_right = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  for (int i = 0; i < 6; ++i) {
    const int own = rank + i;
    int sum = 0;
    MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, comm);
    is_right = is_right && sum == size * (size - 1) / 2 + i * size;
  }
  return is_right;
}

/* Where a rank stands in one of the orders of all ranks. */
static int position(int rank, int size, int order) {
  int left[16];
  for (int i = 0; i < size; ++i) left[i] = i;
  for (int at = 0; at < size; ++at) {
    const int choices = size - at, chosen = order % choices;
    order /= choices;
    if (left[chosen] == rank) return at;
    for (int i = chosen; i + 1 < choices; ++i) left[i] = left[i + 1];
  }
  return -1;
}

static MPI_Comm in_order(int rank, int size, int order) {
  MPI_Comm comm;
  MPI_Comm_split(MPI_COMM_WORLD, 0, position(rank, size, order), &comm);
  return comm;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size, is_right = 1, are_right = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int i = 0; i < loops; ++i) {
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    is_right = is_right && sums_are_right(copy);
    MPI_Comm_free(&copy);
  }
  MPI_Comm comms[orders];
  for (int i = 0; i < orders; ++i) {
    comms[i] = in_order(rank, size, i);
    is_right = is_right && sums_are_right(comms[i]);
  }
  for (int i = 0; i < orders; ++i) MPI_Comm_free(&comms[i]);
  MPI_Comm last = in_order(rank, size, orders + 1);
  is_right = is_right && sums_are_right(last);
  MPI_Comm_free(&last);
  MPI_Reduce(&is_right, &are_right, 1, MPI_INT, MPI_MIN, 0, MPI_COMM_WORLD);
  if (rank == 0 && are_right) puts("OK");
  MPI_Finalize();
  return 0;
}
