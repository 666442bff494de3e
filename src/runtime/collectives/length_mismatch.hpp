// What is said of a message of a collective that is not as long as its receive: the ranks call
// different collectives, or sizes that do not fit.
//
// Used where messages arrive: as records and bulk data (message_channel.cpp) and through the
// MPI library (mpi_requests.cpp). Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace tasuki::runtime {

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
