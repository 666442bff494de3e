// The command line of the radix sort programs.
//
// Called once by each program's main. Thread-safety: pure functions.
#pragma once

#include <cstdint>

namespace tasuki::radixsort {

struct Options {
  std::int64_t key_count = 6'000'000;  ///< As in the DIMMnet-1 paper.
  std::int64_t radix = 10;             ///< Likewise.
  bool json = false;
  bool split = true;     ///< Clock communication and waiting.
  bool perturb = false;  ///< Spoil the result, to see that it is noticed.
  bool speedup = false;  ///< Sort all keys on one rank without communication too.
};

/// Throws apps::usage_error on what it does not understand.
Options parse_options(int argc, const char* const* argv);

}  // namespace tasuki::radixsort
