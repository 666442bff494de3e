#include "pipeline.hpp"

#include "common/mpi_program.hpp"
#include "kernels.hpp"

namespace tasuki::bench::kernels {

Measured pipeline(std::int64_t size) {
  const int rank = apps::MpiJob::rank();
  const int ranks = apps::MpiJob::size();
  Pipeline columns(rank);
  apps::MpiJob::barrier();
  const Stopwatch watch;
  for (std::int64_t number = 1; number < size; ++number) {
    double edge = 0;
    if (rank > 0) {
      MPI_Recv(&edge, 1, MPI_DOUBLE, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    edge = columns.next_row(number, edge);
    if (rank + 1 < ranks) MPI_Send(&edge, 1, MPI_DOUBLE, rank + 1, 0, MPI_COMM_WORLD);
  }
  apps::MpiJob::barrier();
  Measured measured = watch.elapsed(static_cast<double>(size * pipeline_columns));
  measured.is_right = columns.is_right(rank, size);
  return measured;
}

}  // namespace tasuki::bench::kernels
