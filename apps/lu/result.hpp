// What a rank of LU hands to rank 0, the report made of it, and what speed-ups are measured
// against.
//
// Thread-safety: values; `sequential_seconds` is for one thread at a time.
#pragma once

#include <string>
#include <vector>

#include "common/report.hpp"
#include "lu/options.hpp"

namespace tasuki::lu {

/// Trivially copyable: it travels as it is.
struct Result {
  double residual = 0;  ///< ||P A - L U|| / (n ||A|| eps), the same on all ranks.
  apps::Measurement measurement;
};

/// `results` are by rank; `sequential_seconds` is 0 if not measured.
apps::Report report_of(const std::vector<Result>& results, const Options& options,
                       std::string implementation, std::string transport,
                       double sequential_seconds);

/// Returns: the shortest time of several that dgetrf takes for the same matrix on one thread,
/// `now_s` being the clock in seconds.
double sequential_seconds(int n, double (*now_s)());

}  // namespace tasuki::lu
