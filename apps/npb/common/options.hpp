// The command line of the NPB programs: `--class A [--json] [--no-split] [--perturb]`.
//
// Called once by each program's main. Thread-safety: pure functions.
#pragma once

#include <stdexcept>
#include <string>

namespace tasuki::npb {

/// Sizes of a problem, smallest first; see the tables in cg/problem.hpp and is/problem.hpp.
enum class ProblemClass : char { s = 'S', w = 'W', a = 'A', b = 'B', c = 'C' };

struct Options {
  ProblemClass problem_class = ProblemClass::s;
  bool json = false;     ///< One JSON object instead of the table.
  bool split = true;     ///< Clock the communication calls (two clock reads each).
  bool perturb = false;  ///< Spoil the input, to see that the wrong answer is noticed.
};

/// A command line that cannot be understood; `what()` ends with the usage.
class usage_error : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws usage_error on unknown options and classes.
Options parse_options(int argc, const char* const* argv);

}  // namespace tasuki::npb
