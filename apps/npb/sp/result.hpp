// What a rank of SP hands to rank 0, and the report made of it.
//
// Thread-safety: values and a pure function.
#pragma once

#include <string>
#include <vector>

#include "common/report.hpp"
#include "npb/sp/problem.hpp"

namespace tasuki::npb::sp {

/// Trivially copyable: it travels as it is.
struct Result {
  Components residual{};
  Components error{};
  Measurement measurement;
};

inline Report report_of(const std::vector<Result>& results, const Options& options) {
  const Problem problem = problem_of(options.problem_class);
  Report report{.name = "sp",
                .title = title_of("sp", options),
                .parameters = parameters_of(options),
                .value_name = "norm",
                .operations = problem.operations()};
  const auto check = [&](const std::string& what, const Components& found,
                         const Components& expected) {
    for (std::size_t m = 0; m < component_count; ++m)
      report.checks.push_back({what + ", component " + std::to_string(m + 1), found[m], expected[m],
                               problem.tolerance});
  };
  check("residual", results[0].residual, problem.residual);
  check("error", results[0].error, problem.error);
  return report;
}

}  // namespace tasuki::npb::sp
