#include "lu/result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "common/huge_array.hpp"
#include "lu/generator.hpp"

namespace tasuki::lu {
namespace {

/// The residual that HPL lets pass.
constexpr double largest_residual = 16;

}  // namespace

apps::Report report_of(const std::vector<Result>& results, const Options& options,
                       std::string implementation, std::string transport,
                       double sequential_seconds) {
  const auto n = static_cast<double>(options.n);
  apps::Report report{
      .name = "lu",
      .implementation = std::move(implementation),
      .transport = std::move(transport),
      .title = fmt::format("LU of {0} x {0}, blocks of {1} columns", options.n, options.block),
      .parameters = {{"n", options.n}, {"block", options.block}},
      .findings = {},
      .value_name = "residual",
      .operations = n * n * n * 2 / 3 - n * n / 2,
      .checks = {{"||PA - LU|| / (n ||A|| eps)", results[0].residual, largest_residual, 0, true}},
      .measurements = {},
      .tells_wait = true,
      .sequential_seconds = sequential_seconds};
  for (const Result& result : results) report.measurements.push_back(result.measurement);
  return report;
}

double sequential_seconds(int n, double (*now_s)()) {
  constexpr int repetitions = 5;
  const auto rows = static_cast<std::size_t>(n);
  apps::HugeArray<double> memory(rows * rows);
  const Matrix a{memory.data(), n, n, n};
  std::vector<int> pivots(rows);
  double least = std::numeric_limits<double>::infinity();
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    generate_columns(Layout(n, n, 1), 0, {}, a);
    const double start_s = now_s();
    factor(a, pivots);
    least = std::min(least, now_s() - start_s);
  }
  return least;
}

}  // namespace tasuki::lu
