// The command line of the radix sort programs.
//
// Called once by each program's main. Thread-safety: pure functions.
#pragma once

#include <cstdint>

#include "common/command_line.hpp"

namespace tasuki::radixsort {

struct Options : apps::CommonOptions {
  std::int64_t key_count = 6'000'000;  ///< As in the DIMMnet-1 paper.
  std::int64_t radix = 10;             ///< Likewise.
  bool speedup = false;                ///< Sort all keys on one rank without communication too.
};

/// Throws apps::usage_error on what it does not understand.
Options parse_options(int argc, const char* const* argv);

}  // namespace tasuki::radixsort
