// Whether peers still answer: one whose process is stopped does not, though its system keeps the
// connection, and whoever needs it would wait for ever.
//
// The front end has one of the ranks of a program while these are leased, and a client one of its
// server while it waits. Thread-safety: none.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <vector>

namespace tasuki::rpc {

/// How often who waits looks for signs of life.
constexpr std::chrono::seconds watch_interval{1};
/// The same, for poll().
constexpr int watch_interval_ms =
    static_cast<int>(std::chrono::milliseconds(watch_interval).count());

class Pulse {
 public:
  using Clock = std::chrono::steady_clock;
  using Seconds = std::chrono::duration<double>;

  /// A peer may say nothing for `most_s`, in spite of being asked.
  Pulse(double most_s, int peers) : most_(most_s), parts_(static_cast<std::size_t>(peers)) {}

  /// From now on the silence of peers counts.
  void begin(Clock::time_point now = Clock::now()) {
    parts_.assign(parts_.size(), {});
    last_ = now;
  }
  /// The peer has said something.
  void hear(int peer) { parts_.at(static_cast<std::size_t>(peer)) = {}; }
  /// To be called about each second at least: more does not count, as then this process itself was
  /// stopped, and answers of peers wait for it. Returns: the peers to be asked now.
  std::vector<int> whom_to_ask(Clock::time_point now = Clock::now()) {
    const Seconds step = std::min<Seconds>(now - last_, longest_step);
    last_ = now;
    std::vector<int> peers;
    for (std::size_t peer = 0; peer < parts_.size(); ++peer) {
      Part& part = parts_[peer];
      part.silence += step;
      if (part.is_asked || part.silence < most_ / 3) continue;
      part.is_asked = true;
      part.silence = std::min(part.silence, most_ / 3);  // A long step leaves it time to answer.
      peers.push_back(static_cast<int>(peer));
    }
    return peers;
  }
  /// Has the peer been asked, and said nothing for half of that time? What falls silent together
  /// was not heard last at one time.
  bool is_silent(int peer) const {
    const Part& part = parts_.at(static_cast<std::size_t>(peer));
    return part.is_asked && part.silence >= most_ / 2;
  }
  /// Returns: a peer that was asked, and has said nothing for too long.
  std::optional<int> silent_one() const {
    for (std::size_t peer = 0; peer < parts_.size(); ++peer) {
      if (parts_[peer].is_asked && parts_[peer].silence >= most_) return static_cast<int>(peer);
    }
    return {};
  }

 private:
  static constexpr Seconds longest_step = watch_interval;

  struct Part {
    Seconds silence{0};
    bool is_asked = false;
  };

  Seconds most_;
  std::vector<Part> parts_;
  Clock::time_point last_ = {};
};

}  // namespace tasuki::rpc
