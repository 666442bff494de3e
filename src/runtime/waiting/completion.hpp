// Completing the future of a call in the handler of its answer.
//
// Inlined there, as most of what an answer costs is frames and calls otherwise. Used by that
// handler. Thread-safety: none; the rank's own thread.
#pragma once

#include <tasuki/detail/runtime/waiting/future_state.hpp>
#include <tasuki/detail/runtime/waiting/waits.hpp>
#include <utility>

#include "runtime/waiting/continuations.hpp"

namespace tasuki::runtime {

/// What the function does is no part of the call that was answered.
inline void FutureCore::replace_value(Waits& waits) {
  if (failure_) return;
  if (!waiters_.empty()) tell_waiters_of_function();
  waits.set_activity(Continuations::activity);
  waits.continuations().run_alone([this] { std::exchange(replace_value_, nullptr)(*this); });
}

inline void FutureCore::complete_in_handler(Waits& waits) {
  if (replace_value_ != nullptr) replace_value(waits);
  if (finish()) run_continuations_in_handler(waits);
}

}  // namespace tasuki::runtime
