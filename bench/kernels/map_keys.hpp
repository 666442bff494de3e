// The keys that ranks insert into a map, each of which no other rank has.
//
// Included by the kernels of maps. Thread-safety: a pure function.
#pragma once

#include <cstdint>

#include "common/mixed.hpp"

namespace tasuki::bench::kernels {

/// Key `number` of `rank`; these look random.
inline std::uint64_t map_key(int rank, std::uint64_t number) {
  constexpr unsigned bits = 40;
  return apps::mixed(static_cast<std::uint64_t>(rank) << bits | number);
}

}  // namespace tasuki::bench::kernels
