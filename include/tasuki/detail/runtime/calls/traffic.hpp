// What one rank has begun for others and seen done: what quiescence and the hang report count.
//
// Whoever sends or handles something notes it here. Equal sums of what was begun and what is done
// over all ranks mean that nothing is under way. Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tasuki::runtime {

struct CallCounts {
  std::uint64_t sent = 0;
  std::uint64_t done = 0;
  std::uint64_t awaited = 0;  ///< Of this rank, whose answer is not here.
};

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
  CallCounts calls;
  /// Reads and writes of other ranks' memory by messages, and what they bring with them.
  TrafficCounts transfers;
  /// Records of the library's own that nobody waits for.
  TrafficCounts service_records;
  /// Bulk data that are under way from or to here, or wait for their handler: while there are any,
  /// the rank is not idle.
  std::size_t bulk_under_way_count = 0;
};

}  // namespace tasuki::runtime
