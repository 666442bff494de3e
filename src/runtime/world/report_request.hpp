// The request for a hang report that comes as SIGUSR1: noted from the start of tasuki::run on, so
// that it does no harm while the ranks still start; answered when the rank next polls.
//
// Used by tasuki::run and the hang report. The signal handler only sets a flag, starts a timer and
// writes a line.
//
// Thread-safety: `take_report_request` by one thread.
#pragma once

namespace tasuki::runtime {

/// From now on SIGUSR1 is a request, unless the program has another use for it. A second call does
/// nothing.
void accept_report_requests();

/// Returns: has there been a request since the last call?
bool take_report_request() noexcept;

}  // namespace tasuki::runtime
