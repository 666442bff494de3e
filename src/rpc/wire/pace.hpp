// Whether a peer moves enough bytes: a time limit of each wait alone would let it send a byte now
// and then for ever.
//
// Used by Socket for each transfer that takes more than one system call. Thread-safety: none.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace tasuki::rpc {

class Pace {
 public:
  using Clock = std::chrono::steady_clock;
  /// What a peer has to move in each second of the time limit, unless the transfer ends before. It
  /// is far below what any network carries.
  static constexpr std::int64_t least_bytes_per_s = 1024;

  /// 0: it may take as long as it likes.
  explicit Pace(Clock::duration limit) noexcept
      : limit_(limit), least_bytes_(least_bytes_in(std::chrono::duration<double>(limit).count())) {}

  static std::int64_t least_bytes_in(double seconds) noexcept {
    return static_cast<std::int64_t>(seconds * static_cast<double>(least_bytes_per_s));
  }

  /// So many bytes were moved, and more are to come. Returns: false if the peer is too slow. The
  /// time counts from the first time on.
  bool keeps_up(std::size_t bytes, Clock::time_point now = Clock::now()) noexcept {
    if (limit_ == Clock::duration::zero()) return true;
    moved_bytes_ += static_cast<std::int64_t>(bytes);
    if (begin_ && moved_bytes_ < least_bytes_) return now - *begin_ < limit_;
    begin_ = now;
    moved_bytes_ = 0;
    return true;
  }

 private:
  Clock::duration limit_;
  std::optional<Clock::time_point> begin_;
  std::int64_t least_bytes_;
  std::int64_t moved_bytes_ = 0;  ///< Since `begin_`.
};

}  // namespace tasuki::rpc
