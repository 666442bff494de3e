#include "mpi/ahead/predictions.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace tasuki::mpi::ahead {
namespace {

/// Of the header, what is set ahead. The other fields are always those of the arguments.
constexpr std::array steps = {predict::Field::source, predict::Field::tag,
                              predict::Field::message_bytes};

/// The store that a page touched ahead saves would have taken this part of its time: 1.2 of 2.0 us
/// (`bench_ahead`, its first two lines), and rounded down, so that a gain is not overrated.
constexpr double store_share = 0.5;

}  // namespace

Predictions::Predictions(std::unique_ptr<predict::Predictor> predictor, bool is_guarded,
                         Report& report, Clock clock)
    : predictor_(std::move(predictor)), is_guarded_(is_guarded), report_(report), clock_(clock) {}

void Predictions::begin() noexcept {
  expected_.clear();
  next_ = 0;
  was_idle_ = false;
  last_step_ns_ = 0;
}

void Predictions::expect(const predict::Receive& receive, const void* buffer) {
  Expected& one = expected_.emplace_back();
  one.receive = receive;
  one.buffer = buffer;
}

bool Predictions::may_begin(const Expected& one) noexcept {
  return !is_guarded_ || guard_of(one).allows();
}

bool Predictions::step() noexcept {
  was_idle_ = true;
  last_step_ns_ = 0;
  for (; next_ < expected_.size(); ++next_) {
    Expected& one = expected_[next_];
    if (!std::exchange(one.was_begun, true) && !may_begin(one)) continue;
    const std::int64_t begin_ns = clock_();
    if (!step_of(one)) ++next_;
    last_step_ns_ = clock_() - begin_ns;
    return true;
  }
  return false;
}

bool Predictions::step_of(Expected& one) noexcept {
  if (one.is_predicted) {
    const std::int64_t begin_ns = clock_();
    const std::int64_t page_bytes = one.pages.touch_next();
    if (page_bytes != 0) one.touching_ns += clock_() - begin_ns;
    one.touched_bytes += page_bytes;
    return !one.pages.is_empty();
  }
  const predict::Prediction prediction = predictor_->predict(one.receive);
  if (!prediction.is_complete()) return false;
  one.is_predicted = true;
  one.header = prediction.message;
  if (one.buffer != nullptr) one.pages = Pages(one.buffer, one.header.message_bytes);
  return !one.pages.is_empty();
}

void Predictions::arrived(std::size_t index, const predict::Message& message) noexcept {
  seen(index, message);
  predictor_->observe(
      {.receive = expected_[index].receive, .message = message, .arrival_ns = clock_()});
}

void Predictions::seen(std::size_t index, const predict::Message& message) noexcept {
  if (was_idle_) ++report_.counters().idle;
  if (expected_[index].is_predicted) compare(expected_[index], message);
}

void Predictions::compare(const Expected& one, const predict::Message& message) noexcept {
  const std::int64_t begin_ns = clock_();
  const predict::FieldSet wrong = predict::differing(one.header, message);
  std::int64_t wrong_count = 0;
  for (const predict::Field field : steps) {
    if (!wrong.contains(field)) continue;
    ++wrong_count;
    report_.count_redone(field);
  }
  report_.counters().count(steps.size(), wrong_count);
  // What was touched beyond the end of the message was in vain.
  const auto used_bytes = static_cast<double>(std::min(one.touched_bytes, message.message_bytes));
  const double used_share =
      one.touched_bytes == 0 ? 0 : used_bytes / static_cast<double>(one.touched_bytes);
  const auto saved_ns =
      static_cast<std::int64_t>(static_cast<double>(one.touching_ns) * used_share * store_share);
  // The message may have come as the last step began.
  guard_of(one).record(saved_ns - last_step_ns_ - (clock_() - begin_ns));
}

}  // namespace tasuki::mpi::ahead
