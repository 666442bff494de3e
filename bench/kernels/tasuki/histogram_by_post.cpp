#include <tasuki/tasuki.hpp>
#include <vector>

#include "histogram.hpp"
#include "kernels.hpp"

namespace tasuki::bench::kernels {
namespace {

std::vector<std::int64_t> counts;

}  // namespace

Measured histogram_by_post(std::int64_t size) {
  counts.assign(histogram_counts, 0);
  const auto places = histogram_places(rank(), tasuki::size(), size);
  barrier();
  const Stopwatch watch;
  for (const Place place : places) {
    post(
        place.rank, [](std::size_t index) { ++counts[index]; },
        static_cast<std::size_t>(place.index));
  }
  quiesce();
  Measured measured = watch.elapsed(static_cast<double>(size));
  measured.is_right = is_histogram(counts.data(), rank(), tasuki::size(), size);
  return measured;
}

}  // namespace tasuki::bench::kernels
