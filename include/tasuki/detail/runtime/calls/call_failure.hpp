// What becomes of an exception that a called function throws: it is sent back, or reported.
//
// Used by the handlers of calls, and by futures whose failure nobody has got. Thread-safety: the
// rank's own thread.
#pragma once

#include <cstdint>
#include <exception>
#include <tasuki/detail/runtime/calls/rank.hpp>
#include <tasuki/detail/runtime/calls/reply.hpp>

namespace tasuki::runtime {

/// Reports the exception being handled, and ends the job.
[[noreturn]] void one_way_call_failed(Rank& self, int source, std::uintptr_t function);
/// Sends the exception being handled to who has called `function`.
void send_failure(Rank& self, int rank, ReplyToken token, std::uintptr_t function);
/// As ReportUnheard says.
void report_unheard_failure(const fiber::WaitReason& reason, const std::exception_ptr& failure,
                            bool ends_job);

}  // namespace tasuki::runtime
