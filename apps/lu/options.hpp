// The command line of the LU programs.
//
// Called once by each program's main. Thread-safety: pure functions.
#pragma once

#include <cstdint>

#include "common/command_line.hpp"

namespace tasuki::lu {

struct Options : apps::CommonOptions {
  std::int64_t n = 1024;  ///< Rows and columns, as in the DIMMnet-1 paper.
  /// Columns of a panel. (Xeon, Sapphire Rapids, n = 1024, two ranks, ms with 32 / 48 / 64: 10.6 /
  /// 10.4 / 10.8.)
  std::int64_t block = 48;
  bool speedup = false;  ///< Measure dgetrf of one thread too.
};

/// Throws apps::usage_error on what it does not understand.
Options parse_options(int argc, const char* const* argv);

}  // namespace tasuki::lu
