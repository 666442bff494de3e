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
#include <tasuki/detail/runtime/world/idle_moment.hpp>
#include <tasuki/detail/runtime/world/promotion_stack.hpp>
#include <tasuki/detail/runtime/world/speculations.hpp>

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
  const predict::Counters& counters() const noexcept { return counters_; }
  Speculations& speculations() noexcept { return speculations_; }

  /// For the poller, which found nothing: does one piece of work, if there is any.
  /// `idle_count` as in fiber::PollerHooks. Returns: was there any?
  bool run(std::uint64_t idle_count) {
    if (!is_on_) return false;
    const IdleMoment before = now_;
    now_.polls_count = idle_count;
    if (idle_count == 0) {
      now_.idle_number = ++counters_.idle;
      if (stack_.is_kept() && speculations_.is_settled()) return false;
      return begin_idle_time(before);
    }
    if (!speculations_.is_any_due()) return false;
    speculations_.compute_next();
    return true;
  }

 private:
  bool begin_idle_time(const IdleMoment& before);

  predict::Mode mode_;
  bool is_on_;
  predict::Counters counters_;
  IdleMoment now_;  ///< Or the last one.
  PromotionStack stack_;
  Speculations speculations_;
};

}  // namespace tasuki::runtime
