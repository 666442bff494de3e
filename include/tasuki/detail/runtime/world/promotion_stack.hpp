// The stack on which polling goes on when a called function waits, taken from the pool while the
// rank is idle (docs/design/fiber-promotion.md).
//
// IdleWork has one, and says when idle times begin. Thread-safety: none; the rank's own thread.
#pragma once

#include <cstdint>
#include <tasuki/detail/fiber/scheduler.hpp>
#include <tasuki/detail/predict/counters.hpp>
#include <tasuki/detail/predict/guard.hpp>

namespace tasuki::runtime {

class PromotionStack {
 public:
  /// Without `is_guarded` one is prepared whatever that gains.
  PromotionStack(fiber::Scheduler& scheduler, bool is_guarded, predict::Counters& counters) noexcept
      : scheduler_(scheduler), is_guarded_(is_guarded), counters_(counters) {}

  /// Is there one that was not needed yet? Then there is nothing to judge or to prepare.
  bool is_kept() const noexcept {
    return state_ == State::kept && scheduler_.is_promotion_prepared();
  }
  /// An idle time is over: what has the stack gained? `is_found_at_once`: by the first poll after
  /// it began.
  void judge(bool is_found_at_once) noexcept;
  /// Prepares one if there is none and the guard allows it. Returns: was anything done?
  bool prepare() noexcept;

 private:
  enum class State : std::uint8_t {
    missing,
    fresh,  ///< Prepared in the last idle time.
    kept,   ///< Prepared before that, and not needed yet.
  };

  fiber::Scheduler& scheduler_;
  bool is_guarded_;
  predict::Counters& counters_;
  predict::Guard guard_;
  State state_ = State::missing;
  std::int64_t preparing_ns_ = 0;  ///< When it was last timed.
  std::uint64_t prepared_count_ = 0;
};

}  // namespace tasuki::runtime
