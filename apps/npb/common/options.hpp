// The command line of the NPB programs: `--class A [--json] [--perturb] ...`.
//
// Called once by each program's main. Thread-safety: pure functions.
#pragma once

#include <cstdint>
#include <string>

#include "common/command_line.hpp"
#include "common/report.hpp"

namespace tasuki::npb {

using namespace apps;  // The kernels use its names without a prefix.

/// Sizes of a problem, smallest first; see the tables in each kernel's problem.hpp.
enum class ProblemClass : char { s = 'S', w = 'W', a = 'A', b = 'B', c = 'C' };

/// What the ranks of IS exchange in each iteration; `cheaper`: as the problem's size suggests.
enum class Exchanged : std::uint8_t { cheaper, counts, keys };

struct Options : CommonOptions {
  ProblemClass problem_class = ProblemClass::s;
  Exchanged exchanged = Exchanged::cheaper;  ///< IS only.
};

/// How the report names the problem: to people ...
inline std::string title_of(const std::string& kernel, const Options& options) {
  return "NPB " + kernel + " class " + static_cast<char>(options.problem_class);
}
/// ... and in JSON.
inline Json parameters_of(const Options& options) {
  return {{"class", std::string{static_cast<char>(options.problem_class)}}};
}

/// Throws usage_error on what it does not understand.
Options parse_options(int argc, const char* const* argv);

}  // namespace tasuki::npb
