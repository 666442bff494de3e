// What fails in the middle of a collective ends the job: its other ranks wait for the result, and
// messages under way refer to it.
//
// Used by who carries collectives out. Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

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

/// A message that is not as long as its receive: the ranks call different collectives, or sizes
/// that do not fit. Found where messages arrive, as records and bulk data or through the MPI
/// library.
struct LengthMismatch {
  std::string collective;  ///< How to name it.
  int source = -1;         ///< Who has sent it; -1: not known.
  /// Empty: longer than expected, by how much is not known.
  std::optional<std::size_t> arrived_bytes;
  std::size_t expected_bytes = 0;
};

/// The message for base::die, remedy included.
std::string text_of(const LengthMismatch& mismatch);

}  // namespace tasuki::runtime
