/* Wrong arguments under MPI_ERRORS_RETURN: prints how many calls returned no error. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int rank, size, value = 1, other = 0, missed_count = 0, total = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const int nobody = size;
  if (MPI_Sendrecv(&value, 1, MPI_INT, nobody, 3, &other, 1, MPI_INT, (rank + 1) % size, 3,
                   MPI_COMM_WORLD, MPI_STATUS_IGNORE) == MPI_SUCCESS) {
    ++missed_count;
  }
  if (MPI_Reduce(&value, &other, 1, MPI_INT, MPI_SUM, nobody, MPI_COMM_WORLD) == MPI_SUCCESS) {
    ++missed_count;
  }
  /* What failed has taken no message of another call. */
  MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 3, &other, 1, MPI_INT,
               (rank + size - 1) % size, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (other != (rank + size - 1) % size) ++missed_count;
  MPI_Reduce(&missed_count, &total, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%d missed\n", total);
  MPI_Finalize();
  return 0;
}
