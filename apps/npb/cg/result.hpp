// What a rank of CG hands to rank 0, and the report made of it.
//
// Thread-safety: values and a pure function.
#pragma once

#include <vector>

#include "common/report.hpp"
#include "npb/cg/problem.hpp"
#include "npb/common/options.hpp"

namespace tasuki::npb::cg {

/// Trivially copyable: it travels as it is.
struct Result {
  double zeta = 0;
  double residual = 0;
  Measurement measurement;
};

inline Report report_of(const std::vector<Result>& results, const Options& options) {
  const Problem problem = problem_of(options.problem_class);
  return {.name = "cg",
          .title = title_of("cg", options),
          .parameters = parameters_of(options),
          .value_name = "zeta",
          .operations = problem.operations(),
          .checks = {{"zeta", results[0].zeta, problem.zeta, problem.tolerance}}};
}

}  // namespace tasuki::npb::cg
