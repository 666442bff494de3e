#include "rpc/client/operations.hpp"

#include <algorithm>
#include <tasuki/error.hpp>

namespace tasuki::rpc {

void report_operations(const Routine& routine, const Integers& integers, nlohmann::json& report) {
  if (!routine.operations) return;
  std::int64_t operations = 0;
  try {
    operations = routine.operations->evaluate(integers, "CalcOrder");
  } catch (const error&) {
    return;  // An estimate is no reason for a call to fail.
  }
  report["operations"] = operations;
  double compute_s = 0;
  for (const auto& rank : report.at("ranks")) {
    compute_s = std::max(compute_s, rank.at("seconds").at("compute").get<double>());
  }
  if (compute_s > 0) report["operations_per_s"] = static_cast<double>(operations) / compute_s;
}

}  // namespace tasuki::rpc
