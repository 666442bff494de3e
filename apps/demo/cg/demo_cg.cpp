// Conjugate gradients: the routines of python/tasuki/data/demo/cg.idl.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "demo/cg/csr_matrix.hpp"
#include "demo/served.hpp"
#include "npb/cg/node.hpp"
#include "npb/cg/tasuki_exchange.hpp"

namespace tasuki::demo {
namespace {

using npb::cg::ConjugateGradients;
using npb::cg::Layout;
using npb::cg::TasukiExchange;

/// How a solution has been found.
struct Progress {
  int steps = 0;
  double residual = 0;
};

/// Steps until |b - A x| <= tolerance |b| as the steps reckon it, at most `most_steps`.
Progress solve(ConjugateGradients<TasukiExchange>& gradients, std::span<const double> b,
               std::span<double> x, double tolerance, int most_steps) {
  if (!(tolerance >= 0)) throw std::runtime_error("tolerance must be 0 or more");
  Progress progress;
  double rho = gradients.begin(b, x);
  const double enough = tolerance * tolerance * rho;
  while (rho > enough && progress.steps < most_steps) {
    rho = gradients.step(x);
    ++progress.steps;
    if (!(gradients.curvature() > 0)) {
      throw std::runtime_error("the matrix is not positive definite");
    }
  }
  progress.residual = gradients.residual(b, x);
  return progress;
}

/// The elements of all ranks' segments, which follow each other by rank.
std::vector<double> gathered(std::span<const double> segment) {
  const Blocks blocks = {allgather(segment.size())};
  std::size_t total = 0;
  for (const std::size_t count : blocks.counts) total += count;
  std::vector<double> all(rank() == 0 ? total : 0);
  gatherv(segment, std::span(all), blocks, 0);
  return all;
}

/// solve(n, entries, begins, columns, values, b, tolerance, most_steps, x, steps, residual)
void solve(const Arguments& arguments) {
  const auto n = arguments.scalar<std::int64_t>(0);
  const CsrMatrix matrix{arguments.block<const std::int64_t>(2),
                         arguments.block<const std::int32_t>(3), arguments.block<const double>(4)};
  matrix.check();
  if (n > std::numeric_limits<std::int32_t>::max() - size()) {
    throw std::runtime_error("the matrix has too many rows for columns of 32 bits");
  }
  const Layout layout(std::max<std::int64_t>(n, size()), rank(), size());
  TasukiExchange exchange(layout, false);
  ConjugateGradients gradients(block_of(matrix, layout), layout, exchange);
  std::vector<double> b(arguments.block<const double>(5).begin(),
                        arguments.block<const double>(5).end());
  b.resize(static_cast<std::size_t>(layout.order()));  // Rows of the identity have 0.
  const std::span<const double> mine = apps::slice(b, layout.segment());
  std::vector<double> x(mine.size());
  const Progress progress =
      solve(gradients, mine, x, arguments.scalar<double>(6), arguments.scalar<int>(7));
  const std::vector<double> all = gathered(x);
  if (rank() == 0) {
    std::copy_n(all.begin(), n, arguments.block<double>(8).begin());
    arguments.result<int>(9) = progress.steps;
    arguments.result<double>(10) = progress.residual;
  }
  barrier();  // Nobody frees what others still write to.
}

/// npb_CLASS(zeta, expected, is_verified, seconds)
template <npb::ProblemClass problem_class>
void benchmark(const Arguments& arguments) {
  const npb::cg::Problem problem = npb::cg::problem_of(problem_class);
  const Layout layout(problem.order, rank(), size());
  TasukiExchange exchange(layout, false);
  const npb::cg::Result result =
      npb::cg::solve_problem<apps::TasukiJob>(problem, layout, exchange, false);
  arguments.result<double>(0) = result.zeta;
  arguments.result<double>(1) = problem.zeta;
  arguments.result<int>(2) =
      std::abs(result.zeta - problem.zeta) <= problem.tolerance * std::abs(problem.zeta);
  arguments.result<double>(3) = result.measurement.seconds;
  barrier();
}

using npb::ProblemClass;
constexpr std::array<tasuki_routine, 6> routines = {
    {{"solve", served<solve>},
     {"npb_s", served<benchmark<ProblemClass::s>>},
     {"npb_w", served<benchmark<ProblemClass::w>>},
     {"npb_a", served<benchmark<ProblemClass::a>>},
     {"npb_b", served<benchmark<ProblemClass::b>>},
     {"npb_c", served<benchmark<ProblemClass::c>>}}};

}  // namespace
}  // namespace tasuki::demo

int main(int argc, char** argv) {
  return tasuki::demo::serve_routines(argc, argv, tasuki::demo::routines);
}
