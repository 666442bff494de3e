#include "transpose.hpp"

#include <vector>

#include "common/mpi_program.hpp"
#include "kernels.hpp"

namespace tasuki::bench::kernels {

Measured transpose(std::int64_t size) {
  Transpose matrix(apps::MpiJob::rank(), apps::MpiJob::size(), size);
  std::vector<double> sent(matrix.elements());
  std::vector<double> arrived(matrix.elements());
  const int block = static_cast<int>(matrix.block_elements());
  apps::MpiJob::barrier();
  const Stopwatch watch;
  for (int iteration = 0; iteration < transpose_iterations; ++iteration) {
    matrix.pack(sent.data());
    MPI_Alltoall(sent.data(), block, MPI_DOUBLE, arrived.data(), block, MPI_DOUBLE, MPI_COMM_WORLD);
    matrix.add(arrived.data());
  }
  apps::MpiJob::barrier();
  Measured measured = watch.elapsed(static_cast<double>(matrix.elements()) * transpose_iterations);
  measured.is_right = matrix.is_right();
  return measured;
}

}  // namespace tasuki::bench::kernels
