// Places in a table that is spread over all ranks, which look random: the input of the histogram
// and of the index gather, the same over Tasuki, MPI and YGM.
//
// Called by these kernels. Thread-safety: values and pure functions.
#pragma once

#include <cstdint>
#include <vector>

#include "common/mixed.hpp"

namespace tasuki::bench::kernels {

/// Entry `index` of the part of `rank`.
struct Place {
  std::int32_t rank;
  std::int32_t index;
};

/// Those that `rank` of `ranks` asks for. Each rank has `entries` of the table.
inline std::vector<Place> places_of(int rank, int ranks, std::int64_t count, std::int64_t entries) {
  constexpr unsigned bits = 40;
  std::vector<Place> places;
  places.reserve(static_cast<std::size_t>(count));
  const auto all = static_cast<std::uint64_t>(entries * ranks);
  const auto ranks_count = static_cast<std::uint64_t>(ranks);
  for (std::int64_t i = 0; i < count; ++i) {
    const auto number = static_cast<std::uint64_t>(rank) << bits | static_cast<std::uint64_t>(i);
    const std::uint64_t entry = apps::mixed(number) % all;
    places.push_back({static_cast<std::int32_t>(entry % ranks_count),
                      static_cast<std::int32_t>(entry / ranks_count)});
  }
  return places;
}

/// What the table of the index gather holds there.
inline std::int64_t value_at(Place place) {
  constexpr unsigned bits = 32;
  const auto number =
      static_cast<std::uint64_t>(place.rank) << bits | static_cast<std::uint64_t>(place.index);
  return static_cast<std::int64_t>(apps::mixed(number) >> 1U);
}

}  // namespace tasuki::bench::kernels
