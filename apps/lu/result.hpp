// What a rank of LU hands to rank 0, and the report made of it.
//
// Thread-safety: values; `report_of` is for one thread at a time.
#pragma once

#include <vector>

#include "common/report.hpp"
#include "lu/options.hpp"

namespace tasuki::lu {

/// Trivially copyable: it travels as it is.
struct Result {
  double residual = 0;  ///< ||P A - L U|| / (n ||A|| eps), the same on all ranks.
  apps::Measurement measurement;
};

/// `results` are by rank. Measures, if that is asked for, the shortest time of several that dgetrf
/// takes for the same matrix on one thread, `now_s` being the clock in seconds.
apps::Report report_of(const std::vector<Result>& results, const Options& options,
                       double (*now_s)());

}  // namespace tasuki::lu
