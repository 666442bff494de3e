// The command line of the NPB programs: `--class A [--json] [--perturb] ...`.
//
// Called once by each program's main. Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/report.hpp"
#include "common/usage_error.hpp"
#include "npb/common/names.hpp"

namespace tasuki::npb {

/// Sizes of a problem, smallest first; see the tables in cg/problem.hpp and is/problem.hpp.
enum class ProblemClass : char { s = 'S', w = 'W', a = 'A', b = 'B', c = 'C' };

/// What the ranks of IS exchange in each iteration; `cheaper`: as the problem's size suggests.
enum class Exchanged : std::uint8_t { cheaper, counts, keys };

struct Options {
  ProblemClass problem_class = ProblemClass::s;
  bool json = false;  ///< One JSON object instead of the table.
  bool split = true;  ///< Clock the communication calls (two clock reads each).
  Exchanged exchanged = Exchanged::cheaper;  ///< IS only.
  bool perturb = false;  ///< Spoil the input, to see that the wrong answer is noticed.
};

/// How the report names the problem: to people ...
inline std::string title_of(const std::string& kernel, const Options& options) {
  return "NPB " + kernel + " class " + static_cast<char>(options.problem_class);
}
/// ... and in JSON.
inline std::vector<Field> parameters_of(const Options& options) {
  return {{"class", std::string{'"', static_cast<char>(options.problem_class), '"'}}};
}

/// Throws usage_error on unknown options and classes.
Options parse_options(int argc, const char* const* argv);

}  // namespace tasuki::npb
