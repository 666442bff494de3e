// Which called function a signal that ends the process has hit.
//
// Rank enters it as the guard's report. Thread-safety: any thread; safe in a signal handler.
#pragma once

#include <tasuki/detail/fiber/signal_report.hpp>

namespace tasuki::runtime {

/// Prints one line if the calling thread runs a function that was called by a rank, or spawned.
void report_signal(const siginfo_t& signal) noexcept;

}  // namespace tasuki::runtime
