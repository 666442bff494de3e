#include <tasuki/detail/predict/guard.hpp>

#include <algorithm>

namespace tasuki::predict {

bool Guard::allows() noexcept {
  if (is_open()) return true;
  if (--left_count_ > 0) return false;
  is_trial_ = true;
  return true;
}

void Guard::record(std::int64_t gain_ns) noexcept {
  const auto gain = static_cast<double>(gain_ns);
  if (is_trial_) {
    is_trial_ = false;
    if (gain > 0) {
      // The losses of long ago say nothing of now.
      mean_gain_ns_ = 0;
      return;
    }
    lengthen_pause();
    return;
  }
  const bool was_open = is_open();
  mean_gain_ns_ += (gain - mean_gain_ns_) * newest_weight;
  if (mean_gain_ns_ > 0) pause_count_ = first_pause_count;
  if (was_open && !is_open()) lengthen_pause();
}

void Guard::lengthen_pause() noexcept {
  left_count_ = pause_count_;
  pause_count_ = std::min(2 * pause_count_, longest_pause_count);
}

}  // namespace tasuki::predict
