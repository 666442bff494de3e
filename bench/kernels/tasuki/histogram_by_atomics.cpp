#include <tasuki/tasuki.hpp>

#include "histogram.hpp"
#include "kernels.hpp"

namespace tasuki::bench::kernels {

Measured histogram_by_atomics(std::int64_t size) {
  const auto counts = new_array<std::int64_t>(histogram_counts, world_team());
  const auto own = counts[static_cast<std::size_t>(rank())];
  const auto places = histogram_places(rank(), tasuki::size(), size);
  barrier();
  const Stopwatch watch;
  for (const Place place : places) {
    counts[static_cast<std::size_t>(place.rank)][place.index].add(1);
  }
  barrier();  // all are done then
  Measured measured = watch.elapsed(static_cast<double>(size));
  measured.is_right = is_histogram(own.raw(), rank(), tasuki::size(), size);
  barrier();
  delete_(own);
  return measured;
}

}  // namespace tasuki::bench::kernels
