// What a rank of EP hands to rank 0, and the report made of it.
//
// Thread-safety: values and a pure function.
#pragma once

#include <vector>

#include "common/report.hpp"
#include "npb/ep/deviates.hpp"
#include "npb/ep/problem.hpp"

namespace tasuki::npb::ep {

/// Trivially copyable: it travels as it is.
struct Result {
  DeviateSums sums;  ///< Of all ranks.
  Measurement measurement;
};

inline Report report_of(const std::vector<Result>& results, const Options& options) {
  const Problem problem = problem_of(options.problem_class);
  const DeviateSums& sums = results[0].sums;
  return {.name = "ep",
          .title = title_of("ep", options),
          .parameters = parameters_of(options),
          .value_name = "sum",
          .operations = problem.operations(),
          .checks = {{"sum of x", sums.x, problem.sum_x, problem.tolerance},
                     {"sum of y", sums.y, problem.sum_y, problem.tolerance}}};
}

}  // namespace tasuki::npb::ep
