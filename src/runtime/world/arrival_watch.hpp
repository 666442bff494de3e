// How long nothing has arrived at a rank, as it looks while it is idle.
//
// The poller has one, and tells the hang report and the deadlock check. Thread-safety: none; the
// rank's own thread.
#pragma once

#include <cstdint>

namespace tasuki::runtime {

class ArrivalWatch {
 public:
  /// Takes what `arrivals_count` (hang_answer.hpp) returns now. Returns: how long it is known to
  /// have been the same; 0 if something has arrived since the last call.
  std::int64_t time_without_ns(std::uint64_t arrivals_count, std::int64_t now_ns) noexcept {
    if (arrivals_count != seen_count_) {
      seen_count_ = arrivals_count;
      unchanged_since_ns_ = now_ns;
    }
    return now_ns - unchanged_since_ns_;
  }

 private:
  std::uint64_t seen_count_ = UINT64_MAX;  ///< None yet.
  std::int64_t unchanged_since_ns_ = 0;
};

}  // namespace tasuki::runtime
