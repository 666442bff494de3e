#include "npb/mg/solver.hpp"

#include <gtest/gtest.h>

#include "apps/npb/mg/thread_exchange.hpp"
#include "npb/mg/result.hpp"

namespace tasuki::npb::mg {
namespace {

Report solved(ProblemClass problem_class, int ranks, bool is_perturbed) {
  const Problem problem = problem_of(problem_class);
  std::vector<Result> results(1);
  ThreadRanks threads(ranks);
  threads.run([&](int rank) {
    const Layout layout(problem.edge_bits, rank, ranks);
    ThreadExchange exchange(threads, layout);
    Solver solver(problem, layout, exchange);
    solver.iterate(1);
    solver.restart();
    if (is_perturbed) solver.perturb();
    solver.iterate(problem.iterations);
    const double norm = solver.norm();
    if (rank == 0) results[0].norm = norm;
  });
  Options options;
  options.problem_class = problem_class;
  return report_of(results, options);
}

TEST(MgSolver, ReachesTheNormOfClassS) {
  // From 16 ranks on the coarsest levels are not divided.
  for (const int ranks : {1, 2, 4, 8, 16, 64})
    EXPECT_TRUE(solved(ProblemClass::s, ranks, false).verified()) << ranks;
}

TEST(MgSolver, ReachesTheNormOfClassW) {
  EXPECT_TRUE(solved(ProblemClass::w, 2, false).verified());
}

TEST(MgSolver, AFurtherChargeIsReportedAsFailed) {
  EXPECT_FALSE(solved(ProblemClass::s, 2, true).verified());
}

}  // namespace
}  // namespace tasuki::npb::mg
