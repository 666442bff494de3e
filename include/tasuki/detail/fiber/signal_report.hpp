// Who says what a thread was doing when a signal that ends the process hit it: the guard's signal
// handler calls it.
//
// The fiber layer knows stacks, not calls; the runtime, which knows them, enters itself here.
//
// Thread-safety: set once before ranks run; read in a signal handler of any thread.
#pragma once

#include <signal.h>

#include <array>
#include <atomic>

namespace tasuki::fiber {

/// What the guard handles.
inline constexpr std::array guarded_signals = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

/// Called for a fault of the calling thread, and for a signal that the process has sent itself, as
/// abort does. Must be safe in a signal handler, and end soon.
using SignalReport = void (*)(const siginfo_t& signal) noexcept;

inline constinit std::atomic<SignalReport> signal_report = nullptr;
static_assert(std::atomic<SignalReport>::is_always_lock_free);

}  // namespace tasuki::fiber
