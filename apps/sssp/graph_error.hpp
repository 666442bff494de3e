// What a reader throws when a file is not a graph: where, what is wrong, what to do.
//
// Thrown by the readers, reported once by rank 0 (load.hpp). Thread-safety: a value.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <stdexcept>
#include <string>

namespace tasuki::sssp {

class graph_error : public std::runtime_error {
 public:
  /// `line` counts from 1; 0: it concerns the whole file.
  graph_error(const std::string& file, std::uint64_t line, const std::string& what,
              const std::string& remedy)
      : std::runtime_error(fmt::format("tasuki: sssp: {}{}: {}. Remedy: {}.", file,
                                       line > 0 ? fmt::format(":{}", line) : "", what, remedy)) {}
};

}  // namespace tasuki::sssp
