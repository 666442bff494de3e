#include "transpose.hpp"

#include <tasuki/tasuki.hpp>
#include <vector>

#include "kernels.hpp"

namespace tasuki::bench::kernels {

Measured transpose(std::int64_t size) {
  Transpose matrix(rank(), tasuki::size(), size);
  std::vector<double> sent(matrix.elements());
  std::vector<double> arrived(matrix.elements());
  barrier();
  const Stopwatch watch;
  for (int iteration = 0; iteration < transpose_iterations; ++iteration) {
    matrix.pack(sent.data());
    alltoall(sent, arrived);
    matrix.add(arrived.data());
  }
  barrier();
  Measured measured = watch.elapsed(static_cast<double>(matrix.elements()) * transpose_iterations);
  measured.is_right = matrix.is_right();
  return measured;
}

}  // namespace tasuki::bench::kernels
