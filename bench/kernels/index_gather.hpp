// The table of the index gather: values from random places of all ranks.
//
// Included by its forms. Thread-safety: values and pure functions.
#pragma once

#include <cstdint>
#include <vector>

#include "places.hpp"

namespace tasuki::bench::kernels {

/// Of each rank, as in bale's index gather.
constexpr std::int64_t gathered_entries = 100'000;

inline std::vector<Place> gathered_places(int rank, int ranks, std::int64_t size) {
  return places_of(rank, ranks, size, gathered_entries);
}

/// The part of `rank`.
inline std::vector<std::int64_t> gathered_table(int rank) {
  std::vector<std::int64_t> table;
  table.reserve(static_cast<std::size_t>(gathered_entries));
  for (std::int32_t index = 0; index < gathered_entries; ++index) {
    table.push_back(value_at({rank, index}));
  }
  return table;
}

/// Whether `values` are what the table has at `places`.
inline bool is_gathered(const std::vector<std::int64_t>& values, const std::vector<Place>& places) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (values[i] != value_at(places[i])) return false;
  }
  return true;
}

}  // namespace tasuki::bench::kernels
