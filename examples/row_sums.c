// examples/row_sums.c
#include <mpi.h>
#include <stdlib.h>
#include <tasuki/routines.h>

// Each rank has a block of the matrix, and adds what it has of each row; rank 0 gives the sums.
void row_sums(const double* a, double* sums) {
  const tasuki_array_layout* layout = tasuki_layout(a);
  const int64_t rows = layout->extents[0];
  if (layout->extents[1] == 0) {
    tasuki_fail("the matrix has no columns");
    return;
  }
  double* partial = calloc(rows + 1, sizeof *partial);
  for (int64_t i = 0; i < layout->local_extents[0]; ++i) {
    const int64_t row = tasuki_global_index(a, 0, i);
    for (int64_t j = 0; j < layout->local_extents[1]; ++j) {
      partial[row] += a[i * layout->leading_dimension + j];
    }
  }
  MPI_Reduce(partial, sums, (int)rows, MPI_DOUBLE, MPI_SUM, 0, MPI_Comm_f2c(tasuki_communicator()));
  free(partial);
}
