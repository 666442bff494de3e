// Completing the future of a call in the handler of its answer.
//
// Inlined there, as most of what an answer costs is frames and calls otherwise. Used by that
// handler. Thread-safety: none; the rank's own thread.
#pragma once

#include <tasuki/detail/runtime/waiting/small_state.hpp>
#include <tasuki/detail/runtime/waiting/waits.hpp>
#include <utility>

#include "runtime/waiting/continuations.hpp"

namespace tasuki::runtime {

/// What the function does is no part of the call that was answered.
inline void FutureCore::replace_value(Waits& waits) {
  if (!waiters_.empty()) set_reason_of_all({fiber::WaitKind::future});
  waits.set_lasting_activity(Continuations::activity);
  waits.continuations().run_alone([this] { std::exchange(replace_value_, nullptr)(*this); });
}

/// Completes it, and calls `note` after its continuations and before it lets one reference go.
template <class Note>
void FutureCore::complete_in_handler(Waits& waits, Note note) {
  const bool is_replaced = replace_value_ != nullptr && failure_ == nullptr;
  if (is_replaced) replace_value(waits);
  if (finish()) [[unlikely]] {
    run_continuations_in_handler(waits);
  } else if (is_replaced) {
    note();
    return static_cast<SmallState*>(this)->release_without_continuations();
  }
  note();
  release();
}

inline void SmallState::release_without_continuations() noexcept {
  if (!let_go()) return;
  if (has_failed()) [[unlikely]]
    return end_small(this);
  Recycled::free(this, sizeof(SmallState));
}

}  // namespace tasuki::runtime
