#include "rpc/rank/call_gate.hpp"

namespace tasuki::rpc {

using Guard = std::lock_guard<std::mutex>;

bool CallGate::may_begin() const { return last_call_ ? calls_count_ < *last_call_ : !holds_; }

void CallGate::answer() {
  is_to_hold_ = false;
  holds_ = true;
  answer_(calls_count_);
}

bool CallGate::begin() {
  const Guard guard(mutex_);
  if (!may_begin()) return false;
  ++calls_count_;
  if (is_to_hold_) answer();
  return true;
}

void CallGate::hold(bool has_client_gone) {
  const Guard guard(mutex_);
  if (holds_) return;
  is_to_hold_ = true;
  if (has_client_gone || calls_count_ > 0 || Clock::now() >= patience_end_) answer();
}

void CallGate::lose_patience() {
  const Guard guard(mutex_);
  if (is_to_hold_) answer();
}

void CallGate::end_after(std::int64_t last_call) {
  const Guard guard(mutex_);
  last_call_ = last_call;
}

std::optional<CallGate::Clock::time_point> CallGate::patience() const {
  const Guard guard(mutex_);
  if (!is_to_hold_) return {};
  return patience_end_;
}

bool CallGate::is_open() const {
  const Guard guard(mutex_);
  return may_begin();
}

bool CallGate::is_over() const {
  const Guard guard(mutex_);
  return last_call_ && calls_count_ >= *last_call_;
}

std::int64_t CallGate::calls_count() const {
  const Guard guard(mutex_);
  return calls_count_;
}

std::optional<std::int64_t> CallGate::last_call() const {
  const Guard guard(mutex_);
  return last_call_;
}

}  // namespace tasuki::rpc
