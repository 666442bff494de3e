#include "histogram.hpp"

#include <vector>

#include "common/mpi_program.hpp"
#include "kernels.hpp"
#include "sorted_exchange.hpp"

namespace tasuki::bench::kernels {

Measured histogram(std::int64_t size) {
  const int rank = apps::MpiJob::rank();
  const int ranks = apps::MpiJob::size();
  std::vector<std::int64_t> counts(histogram_counts);
  const auto places = histogram_places(rank, ranks, size);
  SortedExchange<std::int32_t> exchange(ranks);
  apps::MpiJob::barrier();
  const Stopwatch watch;
  exchange.send(
      places, [](std::size_t, std::size_t) {},
      [&](const std::vector<std::int32_t>& arrived) {
        for (const std::int32_t index : arrived) ++counts[static_cast<std::size_t>(index)];
      });
  apps::MpiJob::barrier();
  Measured measured = watch.elapsed(static_cast<double>(size));
  measured.is_right = is_histogram(counts.data(), rank, ranks, size);
  return measured;
}

}  // namespace tasuki::bench::kernels
