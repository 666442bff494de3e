#include "pipeline.hpp"

#include <tasuki/tasuki.hpp>

#include "kernels.hpp"

namespace tasuki::bench::kernels {

Measured pipeline(std::int64_t rows) {
  Pipeline columns(rank());
  Sync<double> from_left;
  const auto queues = allgather(global_ptr(&from_left));
  const auto right = static_cast<std::size_t>(rank()) + 1;
  barrier();
  const Stopwatch watch;
  for (std::int64_t number = 1; number < rows; ++number) {
    const double last = columns.next_row(number, rank() == 0 ? 0 : from_left.read());
    if (right < queues.size()) queues[right].write(last);
  }
  barrier();
  Measured measured = watch.elapsed(static_cast<double>(rows * pipeline_columns));
  measured.is_right = columns.is_right(rank(), rows);
  return measured;
}

}  // namespace tasuki::bench::kernels
