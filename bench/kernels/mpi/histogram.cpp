#include "histogram.hpp"

#include <algorithm>
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
  for (std::size_t begin = 0; begin < places.size(); begin += exchanged_items) {
    const std::size_t end = std::min(places.size(), begin + exchanged_items);
    for (std::size_t i = begin; i < end; ++i) {
      exchange.to_each[static_cast<std::size_t>(places[i].rank)].push_back(places[i].index);
    }
    exchange.exchange();
    for (const std::int32_t index : exchange.arrived) ++counts[static_cast<std::size_t>(index)];
  }
  apps::MpiJob::barrier();
  Measured measured = watch.elapsed(static_cast<double>(size));
  measured.is_right = is_histogram(counts.data(), rank, ranks, size);
  return measured;
}

}  // namespace tasuki::bench::kernels
