// What a rank does ahead of the next message while it has nothing else to do: whose turn it is
// between two polls.
//
// World makes one; the poller lets it work between two polls, and predict.hpp asks it for results
// that were computed ahead. docs/design/prediction.md says what is done and why nothing else.
// Thread-safety: none; the rank's own thread.
#pragma once

#include <cstdint>
#include <tasuki/detail/predict/counters.hpp>
#include <tasuki/detail/predict/mode.hpp>
#include <tasuki/detail/runtime/world/promotion_stack.hpp>
#include <tasuki/detail/runtime/world/speculations.hpp>
#include <utility>

namespace tasuki::runtime {

struct Rank;

class IdleWork {
 public:
  IdleWork(Rank& self, predict::Mode mode);
  IdleWork(const IdleWork&) = delete;
  IdleWork& operator=(const IdleWork&) = delete;

  /// What TASUKI_PREDICT says; guarded where it is not set. Throws tasuki::error if it is no mode.
  static predict::Mode wanted_mode();

  bool is_on() const noexcept { return is_on_; }
  predict::Mode mode() const noexcept { return mode_; }
  /// Of what this does; EarlyReceives has its own.
  const predict::Counters& counters() const noexcept { return counters_; }
  Speculations& speculations() noexcept { return speculations_; }

  /// For the poller, which found nothing: does one piece of work, if there is any.
  /// `idle_count` as in fiber::PollerHooks. Returns: was there any?
  bool run(std::uint64_t idle_count) {
    if (!is_on_) return false;
    // A fiber that has computed ahead makes the scheduler count anew.
    const bool goes_on = speculations_.goes_on() || idle_count != 0;
    const std::uint64_t polls_before = std::exchange(polls_count_, goes_on ? polls_count_ + 1 : 0);
    if (!goes_on) {
      ++counters_.idle;
      if (works_on_receives()) return true;
      if (!stack_.is_kept() && renew_stack(polls_before)) return true;
    }
    if (!speculations_.has_work()) return false;
    speculations_.work();
    return true;
  }

  /// Ends what is being computed ahead. Waits as a fiber.
  void finish() { speculations_.finish(); }

 private:
  bool works_on_receives();
  bool renew_stack(std::uint64_t polls_before);

  Rank& self_;
  predict::Mode mode_;
  bool is_on_;
  predict::Counters counters_;
  std::uint64_t polls_count_ = 0;  ///< In vain, in the idle time that is now or was last.
  PromotionStack stack_;
  Speculations speculations_;
};

}  // namespace tasuki::runtime
