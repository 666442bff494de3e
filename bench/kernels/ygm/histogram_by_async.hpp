// The histogram over YGM.
//
// Called by kernels_ygm. Thread-safety: the main thread; collective.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>
#include <ygm/comm.hpp>

#include "histogram.hpp"
#include "kernel.hpp"

namespace tasuki::bench::kernels {

inline std::vector<std::int64_t> counts;

inline Measured histogram_by_async(ygm::comm& world, std::int64_t size) {
  counts.assign(histogram_counts, 0);
  const auto places = histogram_places(world.rank(), world.size(), size);
  world.barrier();
  const Stopwatch watch;
  for (const Place place : places) {
    world.async(
        place.rank, [](std::size_t index) { ++counts[index]; },
        static_cast<std::size_t>(place.index));
  }
  world.barrier();
  Measured measured = watch.elapsed(static_cast<double>(size));
  measured.is_right = is_histogram(counts.data(), world.rank(), world.size(), size);
  return measured;
}

}  // namespace tasuki::bench::kernels
