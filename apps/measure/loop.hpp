// Which collective repeated_collective calls, and how often: its command line.
//
// Called once by the program's main. Thread-safety: pure functions.
#pragma once

#include <cstddef>
#include <string>

namespace tasuki::apps {

struct Loop {
  std::string collective;  ///< "allreduce", of ints, or "alltoall".
  std::size_t bytes = 0;   ///< Of the operand, or of the block for each rank.
  std::size_t calls = 0;
};

/// Throws usage_error on what it does not understand.
Loop parse_loop(int argc, const char* const* argv);

}  // namespace tasuki::apps
