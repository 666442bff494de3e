// The command line of the sssp programs.
//
// Called once by each program's main. Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <string>

#include "common/command_line.hpp"

namespace tasuki::sssp {

struct Options : apps::CommonOptions {
  std::string graph;  ///< Its file.
  std::string method = "delta";
  std::string partition = "metis";
  std::int64_t source = -1;   ///< As the file numbers nodes; -1: its first.
  std::int64_t delta = 0;     ///< Width of a bucket; 0: one that suits the graph.
  std::int64_t searches = 1;  ///< That are timed, at most.
  bool speedup = false;       ///< Measure Dijkstra on one rank too.
};

/// Throws apps::usage_error on what it does not understand or what this build has not.
Options parse_options(int argc, const char* const* argv);

}  // namespace tasuki::sssp
