// How kernels refuse a number of ranks that their division of the problem does not allow.
//
// Called by the kernels' layouts. Thread-safety: a pure function.
#pragma once

#include <string>

#include "common/usage_error.hpp"

namespace tasuki::npb {

/// Throws usage_error. `remedy` ends the sentence "start ...".
[[noreturn]] inline void refuse_rank_count(const std::string& kernel, int ranks,
                                           const std::string& remedy) {
  throw apps::usage_error("tasuki: npb " + kernel + ": " + std::to_string(ranks) +
                          " ranks cannot share its grid. Remedy: start " + remedy + ".");
}

}  // namespace tasuki::npb
