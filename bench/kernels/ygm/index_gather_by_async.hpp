// The index gather over YGM: a message there, and one back.
//
// Called by kernels_ygm. Thread-safety: the main thread; collective.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>
#include <ygm/comm.hpp>

#include "index_gather.hpp"
#include "kernel.hpp"

namespace tasuki::bench::kernels {

inline std::vector<std::int64_t> table;
inline std::vector<std::int64_t> values;

inline Measured index_gather_by_async(ygm::comm& world, std::int64_t size) {
  table = gathered_table(world.rank());
  const auto places = gathered_places(world.rank(), world.size(), size);
  values.assign(places.size(), -1);
  world.barrier();
  const Stopwatch watch;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto answer = [](auto* comm, std::size_t index, std::size_t to, int asking) {
      const auto put = [](std::size_t at, std::int64_t value) { values[at] = value; };
      comm->async(asking, put, to, table[index]);
    };
    world.async(places[i].rank, answer, static_cast<std::size_t>(places[i].index), i, world.rank());
  }
  world.barrier();
  Measured measured = watch.elapsed(static_cast<double>(size));
  measured.is_right = is_gathered(values, places);
  return measured;
}

}  // namespace tasuki::bench::kernels
