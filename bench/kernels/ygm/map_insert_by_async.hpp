// Inserting into a map of YGM.
//
// Called by kernels_ygm. Thread-safety: the main thread; collective.
#pragma once

#include <cstdint>
#include <ygm/comm.hpp>
#include <ygm/container/map.hpp>

#include "kernel.hpp"
#include "map_keys.hpp"

namespace tasuki::bench::kernels {

inline Measured map_insert_by_async(ygm::comm& world, std::int64_t size) {
  ygm::container::map<std::uint64_t, std::uint64_t> map(world);
  const auto count = static_cast<std::uint64_t>(size);
  world.barrier();
  const Stopwatch watch;
  for (std::uint64_t i = 0; i < count; ++i) map.async_insert(map_key(world.rank(), i), i);
  world.barrier();
  Measured measured = watch.elapsed(static_cast<double>(size));
  measured.is_right = map.size() == static_cast<std::uint64_t>(world.size()) * count;
  return measured;
}

}  // namespace tasuki::bench::kernels
