// Whether all ranks of a program still answer: one that is stopped does not, and whoever needs the
// ranks would wait for it for ever.
//
// Owned by the program's processes, which ask and hear the ranks while these are leased.
// Thread-safety: none; its owner's mutex guards it.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <vector>

namespace tasuki::rpc {

class RankPulse {
 public:
  using Clock = std::chrono::steady_clock;
  using Seconds = std::chrono::duration<double>;

  /// A rank may say nothing for `most_s`, in spite of being asked.
  RankPulse(double most_s, int ranks) : most_(most_s), parts_(static_cast<std::size_t>(ranks)) {}

  /// From now on the silence of ranks counts.
  void begin(Clock::time_point now = Clock::now()) {
    parts_.assign(parts_.size(), {});
    last_ = now;
  }
  /// The rank has said something.
  void hear(int rank) { parts_.at(static_cast<std::size_t>(rank)) = {}; }
  /// To be called about each second at least: more does not count, as then the front end itself
  /// was stopped, and answers of ranks wait for it. Returns: the ranks to be asked now.
  std::vector<int> whom_to_ask(Clock::time_point now = Clock::now()) {
    const Seconds step = std::min<Seconds>(now - last_, longest_step);
    last_ = now;
    std::vector<int> ranks;
    for (std::size_t rank = 0; rank < parts_.size(); ++rank) {
      Part& part = parts_[rank];
      part.silence += step;
      if (part.is_asked || part.silence < most_ / 3) continue;
      part.is_asked = true;
      ranks.push_back(static_cast<int>(rank));
    }
    return ranks;
  }
  /// Has the rank been asked, and said nothing for half of that time? What falls silent together
  /// was not heard last at one time.
  bool is_silent(int rank) const {
    const Part& part = parts_.at(static_cast<std::size_t>(rank));
    return part.is_asked && part.silence >= most_ / 2;
  }
  /// Returns: a rank that was asked, and has said nothing for too long.
  std::optional<int> silent_rank() const {
    for (std::size_t rank = 0; rank < parts_.size(); ++rank) {
      if (parts_[rank].is_asked && parts_[rank].silence >= most_) return static_cast<int>(rank);
    }
    return {};
  }

 private:
  static constexpr Seconds longest_step{1};

  struct Part {
    Seconds silence{0};
    bool is_asked = false;
  };

  Seconds most_;
  std::vector<Part> parts_;
  Clock::time_point last_ = {};
};

}  // namespace tasuki::rpc
