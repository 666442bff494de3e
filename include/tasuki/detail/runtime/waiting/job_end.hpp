// The end of the whole job from one rank, when that rank cannot go on. Called by all rooms of the
// runtime; why the job ends has been reported before, or is reported here.
//
// Thread-safety: the rank's own thread.
#pragma once

#include <tasuki/detail/transport/transport.hpp>

namespace tasuki::runtime {

/// Ends the job; why has been reported.
[[noreturn]] void end_job(transport::Transport& transport, int exit_code) noexcept;
/// Reports the exception being handled and ends the job.
[[noreturn]] void end_job_by_exception(transport::Transport& transport) noexcept;

}  // namespace tasuki::runtime
