// What a rank of MG hands to rank 0, and the report made of it.
//
// Thread-safety: values and a pure function.
#pragma once

#include <vector>

#include "common/report.hpp"
#include "npb/mg/problem.hpp"

namespace tasuki::npb::mg {

/// Trivially copyable: it travels as it is.
struct Result {
  double norm = 0;
  Measurement measurement;
};

inline Report report_of(const std::vector<Result>& results, const Options& options) {
  const Problem problem = problem_of(options.problem_class);
  return {.name = "mg",
          .title = title_of("mg", options),
          .parameters = parameters_of(options),
          .value_name = "norm",
          .operations = problem.operations(),
          .checks = {{"norm of the residual", results[0].norm, problem.norm, problem.tolerance}}};
}

}  // namespace tasuki::npb::mg
