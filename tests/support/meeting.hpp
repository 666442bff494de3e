// A point at which two threads of a litmus test arrive at nearly the same time, once a round.
//
// Used by tests of what two threads see of each other's stores. Thread-safety: `come` by two
// threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

namespace tasuki::test {

class Meeting {
 public:
  /// Returns when both threads have come to `round`. Requires: rounds are 1, 2, 3, ...
  void come(std::uint64_t round) {
    arrived_count_.fetch_add(1, std::memory_order_acq_rel);
    for (int polls = 0; arrived_count_.load(std::memory_order_acquire) < 2 * round; ++polls) {
      if (polls > 2000) std::this_thread::yield();
    }
  }

 private:
  // Two cache lines, for pairs are fetched together.
  alignas(128) std::atomic<std::uint64_t> arrived_count_{0};
};

}  // namespace tasuki::test
