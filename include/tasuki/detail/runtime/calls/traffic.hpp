// What one rank has begun for others and seen done: what quiescence and the hang report count.
//
// Whoever sends or handles something notes it here, by the rank at the other end. Equal sums of
// what was begun and what is done, over all pairs of ranks or those of a team, mean that nothing is
// under way. Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tasuki::runtime {

struct TrafficCounts {
  std::uint64_t begun = 0;
  std::uint64_t done = 0;

  /// Counts what `send` sends, before it can be done. If `send` throws, it has sent nothing.
  template <class Send>
  void begin(Send send) {
    ++begun;
    try {
      send();
    } catch (...) {
      --begun;
      throw;
    }
  }
};

struct Traffic {
  explicit Traffic(int ranks_count) : by_rank(static_cast<std::size_t>(ranks_count)) {}

  /// What this rank has begun for another one, or for itself, and seen done of what either has
  /// begun for the other: calls, and reads and writes of memory by messages, with what they bring.
  TrafficCounts& with(int rank) noexcept { return by_rank[static_cast<std::size_t>(rank)]; }

  /// Counts a call of `rank` whose answer this rank awaits, as TrafficCounts::begin.
  template <class Send>
  void begin_awaited(int rank, Send send) {
    ++awaited_answers_count;
    try {
      with(rank).begin(send);
    } catch (...) {
      --awaited_answers_count;
      throw;
    }
  }

  std::vector<TrafficCounts> by_rank;
  std::uint64_t awaited_answers_count = 0;  ///< Of calls of this rank.
  /// Records of the library's own that nobody waits for.
  TrafficCounts service_records;
  /// Bulk data that are under way from or to here, or wait for their handler: while there are any,
  /// the rank is not idle.
  std::size_t bulk_under_way_count = 0;
};

}  // namespace tasuki::runtime
