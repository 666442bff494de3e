// The table of the histogram, and how its counts are checked.
//
// Included by the histogram's forms. Thread-safety: values and pure functions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "places.hpp"

namespace tasuki::bench::kernels {

/// Of each rank. bale's histogram has 1,000 counts for each rank, so that they are in the cache.
constexpr std::int64_t histogram_counts = 1000;

inline std::vector<Place> histogram_places(int rank, int ranks, std::int64_t size) {
  return places_of(rank, ranks, size, histogram_counts);
}

/// Whether `counts`, those of `rank`, are what all ranks' places make. Changes them.
inline bool is_histogram(std::int64_t* counts, int rank, int ranks, std::int64_t size) {
  for (int other = 0; other < ranks; ++other) {
    for (const Place place : histogram_places(other, ranks, size)) {
      if (place.rank == rank) --counts[place.index];
    }
  }
  return std::all_of(counts, counts + histogram_counts,
                     [](std::int64_t left) { return left == 0; });
}

}  // namespace tasuki::bench::kernels
