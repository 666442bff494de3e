// What becomes of an exception that a function throws which was called by its name.
//
// As call_failure.hpp, which is for functions with an address. Thread-safety: the rank's own
// thread.
#pragma once

#include <string>
#include <tasuki/detail/runtime/calls/call_failure.hpp>

namespace tasuki::runtime {

/// Reports the exception being handled, and ends the job.
[[noreturn]] void one_way_call_failed(Rank& self, int source, std::string function);
/// Sends the exception being handled to who has called `function`.
void send_failure(Rank& self, int rank, ReplyToken token, std::string function);

}  // namespace tasuki::runtime
