// Waits a moment by asking again and again, before a wait that puts the thread to sleep.
//
// Used where an answer often comes at once: to wake a thread that sleeps on an idle core takes
// several times as long as a message. Thread-safety: none needed.
#pragma once

#include <sched.h>

#include <cstdint>
#include <tasuki/detail/base/clock.hpp>

namespace tasuki::rpc {

/// Longer than a call that computes nothing (`tasuki bench rpc`).
constexpr std::int64_t short_spin_ns = 50'000;

/// Asks `is_ready` until it returns true or the moment is over; others may use the core meanwhile.
/// Returns: what it returned last.
template <class IsReady>
bool short_spin(IsReady is_ready) {
  const std::int64_t end_ns = base::now_ns() + short_spin_ns;
  while (true) {
    if (is_ready()) return true;
    if (base::now_ns() >= end_ns) return false;
    sched_yield();
  }
}

}  // namespace tasuki::rpc
