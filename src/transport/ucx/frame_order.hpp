// Puts the frames of one source back into the order in which they were sent. UCX keeps no order
// between active messages of different protocols: a short one may overtake one in parts.
//
// Used by the endpoint. Thread-safety: none.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

namespace tasuki::transport::ucx {

template <class Frame>
class FrameOrder {
 public:
  /// The first frame has the number `first`; they go round.
  explicit FrameOrder(std::uint32_t first = 0) noexcept : next_(first) {}

  /// Calls `take(frame)` for the frame and those that have waited for it, or keeps it until those
  /// sent before it have come.
  template <class Take>
  void put(std::uint32_t sequence, Frame frame, Take take) {
    if (sequence != next_) [[unlikely]] {
      early_.emplace(sequence, std::move(frame));
      return;
    }
    ++next_;
    take(std::move(frame));
    for (auto found = early_.find(next_); found != early_.end(); found = early_.find(next_)) {
      ++next_;
      take(std::move(found->second));
      early_.erase(found);
    }
  }
  /// Is no frame waiting for another?
  bool is_settled() const noexcept { return early_.empty(); }

 private:
  std::uint32_t next_;
  std::map<std::uint32_t, Frame> early_;
};

}  // namespace tasuki::transport::ucx
