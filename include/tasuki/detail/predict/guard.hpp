// Is an action that follows a prediction worth its time? It is while what it has gained lately is
// more than what it has cost.
//
// Used by whoever acts on predictions, with one guard for each action; bounds what a stream can
// cost that nothing predicts. Thread-safety: one per thread.
#pragma once

#include <cstdint>

namespace tasuki::predict {

/// Begins open. When the mean gain of the last actions falls below nothing, it closes, and lets a
/// single action through now and then, to see whether things have changed: after 64 messages, then
/// 128, and so on up to 8192, until the mean gain is positive again.
class Guard {
 public:
  /// May the action be taken for this message? Asked once for each.
  bool allows() noexcept;

  /// What an action that was taken has gained; negative if it was in vain: its own time, and that
  /// of undoing it.
  void record(std::int64_t gain_ns) noexcept;

  bool is_open() const noexcept { return mean_gain_ns_ >= 0; }
  double mean_gain_ns() const noexcept { return mean_gain_ns_; }

  /// Of a newly measured gain in the mean: 16 actions tell enough, and a change is soon seen.
  static constexpr double newest_weight = 1.0 / 16;
  /// With 8192, an action that loses 10 us costs 1.2 ns for each message.
  static constexpr std::int64_t first_pause_count = 64;
  static constexpr std::int64_t longest_pause_count = 8192;

 private:
  void lengthen_pause() noexcept;

  double mean_gain_ns_ = 0;
  std::int64_t pause_count_ = first_pause_count;  ///< Messages of the next pause.
  std::int64_t left_count_ = 0;                   ///< Of this pause.
  bool is_trial_ = false;                         ///< Is the next record that of a single action?
};

}  // namespace tasuki::predict
