// The raw one-way time of a cache line between rank 0 and rank 1: two plain loads and stores in
// shared memory, nothing of Tasuki. The yardstick of the benchmarks.
//
// Thread-safety: none; the rank's own thread. Collective.
#pragma once

#include <atomic>
#include <cstdint>
#include <tasuki/tasuki.hpp>

namespace tasuki::bench {

/// Memory that ranks 0 and 1 both address: one line per rank, in that rank's heap.
struct Lines {
  struct alignas(64) Line {
    std::atomic<std::uint64_t> word;
  };
  GlobalPtr<Line> mine;
  GlobalPtr<Line> theirs;
  std::uint64_t count = 0;
};

/// Collective; once.
Lines& shared_lines();

/// Returns: nanoseconds one way, on rank 0 (0 if the ranks share no memory, or there is one rank).
double cache_line_ns();

}  // namespace tasuki::bench
