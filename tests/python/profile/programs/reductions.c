/* Small allreduces and large broadcasts. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  double one = 1, sum = 0;
  double* many = calloc(1 << 15, sizeof *many);
  for (int i = 0; i < 50; ++i) {
    MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
  for (int i = 0; i < 20; ++i) MPI_Bcast(many, 1 << 15, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  free(many);
  MPI_Finalize();
  return 0;
}
