// The collectives of MPI-4.0, chapter 6, by name.
//
// What they do with their buffers stands in coll/collective.hpp. Here because algorithms (coll) and
// the MPI library (transport) both carry them out. Thread-safety: constants.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tasuki::base {

enum class Collective : std::uint8_t {
  barrier,
  broadcast,
  reduce,
  allreduce,
  gather,
  gatherv,
  scatter,
  scatterv,
  allgather,
  allgatherv,
  alltoall,
  alltoallv,
  reduce_scatter_block,
  reduce_scatter,
  scan,
  exscan,
};

inline constexpr std::size_t collectives_count = 16;

}  // namespace tasuki::base
