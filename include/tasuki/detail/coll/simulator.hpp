// The simulator: when each round of a collective would be over on a network that need not exist;
// and what it needs of an algorithm, the schedules of all ranks.
//
// An executor of schedules that moves no data: it adds up what LogGP (network.hpp) says about each
// transfer. Used by `tasuki explain`, the tuner and the reproductions, up to 65,536 ranks.
// Thread-safety: pure functions; the same arguments give the same bits.
#pragma once

#include <tasuki/detail/coll/algorithm.hpp>
#include <tasuki/detail/coll/network.hpp>

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

/// The schedules of all ranks, made in one process: sizes that ranks would exchange first are found
/// out. `shapes` are those of all ranks in order, of one call. Throws as make_schedule does.
std::vector<Schedule> make_schedules(const AlgorithmDescriptor& algorithm,
                                     std::span<const Shape> shapes, const Parameters& given = {});

}  // namespace tasuki::coll
