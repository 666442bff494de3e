// What fails in the middle of a collective ends the job: its other ranks wait for the result, and
// messages under way refer to it.
//
// Used by who carries collectives out. Thread-safety: pure functions.
#pragma once

namespace tasuki::runtime {

/// In a handler: ends the job with a message about what was thrown.
[[noreturn, gnu::cold]] void end_job_by_exception();

/// Runs `part`, whose operator should not throw.
template <class Part>
void must_succeed(const Part& part) {
  try {
    part();
  } catch (...) {
    end_job_by_exception();
  }
}

}  // namespace tasuki::runtime
