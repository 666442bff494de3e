#include "npb/cg/solver.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "apps/common/thread_ranks.hpp"
#include "npb/cg/result.hpp"

namespace tasuki::npb::cg {
namespace {

/// Ranks that are threads: they copy from each other's vectors between barriers.
class ThreadExchange {
 public:
  ThreadExchange(ThreadRanks& threads, const Layout& layout)
      : threads_(threads), layout_(layout), columns_(static_cast<std::size_t>(layout.columns())) {}

  std::span<double> segment() { return slice(columns_, layout_.columns_of(layout_.rank())); }
  std::span<const double> columns() { return columns_; }
  void expand() {
    const auto segments = threads_.publish(layout_.rank(), std::span<const double>(segment()));
    for (const int peer : layout_.column_peers())
      std::ranges::copy(segments[static_cast<std::size_t>(peer)],
                        slice(columns_, layout_.columns_of(peer)).begin());
    threads_.wait();
  }
  void fold(std::span<const double> partial, std::span<double> product) {
    const auto partials = threads_.publish(layout_.rank(), partial);
    std::vector<double> others;
    for (const int peer : layout_.row_peers()) {
      const auto part =
          slice(partials[static_cast<std::size_t>(peer)], layout_.rows_of(layout_.rank()));
      others.insert(others.end(), part.begin(), part.end());
    }
    threads_.wait();
    add_parts(slice(partial, layout_.rows_of(layout_.rank())), others, product);
  }
  void sum(std::span<double> values) { threads_.sum(layout_.rank(), values); }

 private:
  ThreadRanks& threads_;
  const Layout& layout_;
  std::vector<double> columns_;
};

double zeta_of(ProblemClass problem_class, int ranks, bool perturbed) {
  const Problem problem = problem_of(problem_class);
  double zeta = 0;
  ThreadRanks threads(ranks);
  threads.run([&](int rank) {
    const Layout layout(problem.order, rank, ranks);
    ThreadExchange exchange(threads, layout);
    Solver solver(problem, layout, exchange);
    if (perturbed) solver.perturb();
    solver.iterate(1);
    solver.restart();
    const double mine = solver.iterate(problem.iterations);
    EXPECT_LT(solver.residual(), 1e-9);
    if (rank == 0) zeta = mine;
  });
  return zeta;
}

TEST(Solver, ReachesZetaOfClassS) {
  const Problem problem = problem_of(ProblemClass::s);
  for (const int ranks : {1, 2, 3, 4, 6})
    EXPECT_NEAR(zeta_of(ProblemClass::s, ranks, false), problem.zeta, problem.tolerance)
        << ranks << " ranks";
}

TEST(Solver, ReachesZetaOfClassW) {
  const Problem problem = problem_of(ProblemClass::w);
  EXPECT_NEAR(zeta_of(ProblemClass::w, 1, false), problem.zeta, problem.tolerance * problem.zeta);
}

TEST(Solver, ASpoiledMatrixIsReportedAsFailed) {
  Result result;
  result.zeta = zeta_of(ProblemClass::s, 1, true);
  result.measurement.seconds = 1;
  const Options options;
  const Report report = report_of({result}, options);
  EXPECT_FALSE(report.verified());
  EXPECT_EQ(print(report, false), 1);
}

}  // namespace
}  // namespace tasuki::npb::cg
