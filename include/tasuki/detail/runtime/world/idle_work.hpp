// What a rank does ahead of the next message while it has nothing else to do.
//
// World makes one; the poller lets it work between two polls, and predict.hpp asks it for results
// that were computed ahead. docs/design/prediction.md says what is done and why nothing else.
// Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <tasuki/detail/fiber/scheduler.hpp>
#include <tasuki/detail/predict/counters.hpp>
#include <tasuki/detail/predict/guard.hpp>
#include <tasuki/detail/predict/mode.hpp>
#include <tasuki/detail/runtime/world/speculation.hpp>
#include <vector>

namespace tasuki::runtime {

struct Rank;

class IdleWork {
 public:
  IdleWork(Rank& self, predict::Mode mode);
  ~IdleWork();
  IdleWork(const IdleWork&) = delete;
  IdleWork& operator=(const IdleWork&) = delete;

  /// What TASUKI_PREDICT says; guarded where it is not set. Throws tasuki::error if it is no mode.
  static predict::Mode wanted_mode();

  bool is_on() const noexcept { return is_on_; }
  const predict::Counters& counters() const noexcept { return counters_; }

  /// For the poller, which found nothing: does one piece of work, if there is any.
  /// `idle_count` as in fiber::PollerHooks. Returns: was there any?
  bool run(std::uint64_t idle_count) {
    if (!is_on_) return false;
    const std::uint64_t polls_before = idle_polls_count_;
    idle_polls_count_ = idle_count;
    if (idle_count != 0) return due_count_ != 0 && compute_ahead();
    if (!is_settled_ || !scheduler_.is_promotion_prepared()) return begin_idle_time(polls_before);
    ++counters_.idle;
    return false;
  }

  /// Appends to the file that TASUKI_PREDICT_REPORT names what became of the predictions, if it
  /// names one.
  void write_report() const;

  // ---- for predict.hpp ------------------------------------------------------------------------
  /// Returns: nullptr if there is none yet.
  Speculation* find(const Speculation::Key& key) noexcept;
  Speculation& add(std::unique_ptr<Speculation> speculation);
  /// The function is called with these bytes. Returns: may the result be taken that is kept? If
  /// not, there is none any more.
  bool commit(Speculation& speculation, std::span<const std::byte> argument);

 private:
  bool begin_idle_time(std::uint64_t polls_before);
  void judge_stack(bool is_found_at_once);
  bool prepare_promotion();
  bool compute_ahead();
  void compute(Speculation& speculation);
  /// Names the time between two polls, `polls_count` being those of this idle time so far.
  std::uint64_t moment(std::uint64_t polls_count) const noexcept;
  bool allows(predict::Guard& guard) noexcept;

  Rank& self_;
  const fiber::Scheduler& scheduler_;
  predict::Mode mode_;
  bool is_on_;
  bool is_settled_ = false;  ///< There is nothing to judge or to do, as long as the stack is kept.
  predict::Counters counters_;
  std::uint64_t idle_polls_count_ = 0;  ///< In the idle time that is now or was last.

  // The stack for a handler that waits.
  enum class Stack : std::uint8_t {
    missing,
    fresh,  ///< Prepared in the last idle time.
    kept,   ///< Prepared before that, and not needed yet.
  };
  Stack stack_ = Stack::missing;
  predict::Guard stack_guard_;
  std::int64_t stack_ns_ = 0;  ///< How long it took to prepare one when it was last timed.
  std::uint64_t stacks_prepared_count_ = 0;

  std::vector<std::unique_ptr<Speculation>> speculations_;
  std::size_t due_count_ = 0;
  Speculation* last_computed_ = nullptr;
};

}  // namespace tasuki::runtime
