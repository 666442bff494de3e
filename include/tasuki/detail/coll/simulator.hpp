// The simulator: when each round of a collective would be over on a network that need not exist.
//
// An executor of schedules that moves no data: it adds up what LogGP (network.hpp) says about each
// transfer. Used by `tasuki explain`, the tuner and the reproductions, up to 65,536 ranks.
// Thread-safety: pure functions; the same arguments give the same bits.
#pragma once

#include <tasuki/detail/coll/network.hpp>
#include <tasuki/detail/coll/schedule.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tasuki::coll {

/// What the ranks do in their rounds of the same number.
struct SimulatedRound {
  double begin_ns = 0;  ///< When the first rank begins it.
  double end_ns = 0;    ///< When the last rank is done with it.
  std::uint64_t messages_count = 0;
  std::uint64_t sent_bytes = 0;

  bool operator==(const SimulatedRound&) const = default;
};

struct Simulation {
  double end_ns = 0;  ///< When the last rank is done; all begin at 0.
  std::vector<SimulatedRound> rounds;
  std::uint64_t messages_count = 0;
  std::uint64_t sent_bytes = 0;

  bool operator==(const Simulation&) const = default;
};

/// Runs one schedule per rank. Every send counts as complete when its last byte has left.
/// Requires: the schedules belong to one collective. Throws tasuki::error if they never end, or if
/// a message has no receive.
Simulation simulate(std::span<const Schedule> schedules, std::size_t element_bytes,
                    const Network& network);

}  // namespace tasuki::coll
