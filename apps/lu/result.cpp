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

/// Of dgetrf.
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

}  // namespace

apps::Report report_of(const std::vector<Result>& results, const Options& options,
                       double (*now_s)()) {
  const auto n = static_cast<double>(options.n);
  return {
      .name = "lu",
      .title = fmt::format("LU of {0} x {0}, blocks of {1} columns", options.n, options.block),
      .parameters = {{"n", options.n}, {"block", options.block}},
      .value_name = "residual",
      .operations = n * n * n * 2 / 3 - n * n / 2,
      .checks = {{"||PA - LU|| / (n ||A|| eps)", results[0].residual, largest_residual, 0, true}},
      .tells_wait = true,
      .sequential_seconds =
          options.speedup ? sequential_seconds(static_cast<int>(options.n), now_s) : 0};
}

}  // namespace tasuki::lu
