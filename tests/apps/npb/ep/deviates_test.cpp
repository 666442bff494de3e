#include "npb/ep/deviates.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "npb/common/random.hpp"
#include "npb/ep/result.hpp"

namespace tasuki::npb::ep {
namespace {

/// As the specification says it, pair by pair.
DeviateSums sums_by_definition(apps::Range pairs) {
  RandomStream random(271828183);
  random.skip(2 * static_cast<std::uint64_t>(pairs.begin));
  DeviateSums sums;
  for (std::int64_t pair = pairs.begin; pair < pairs.end; ++pair) {
    const double x = 2 * random.next() - 1;
    const double y = 2 * random.next() - 1;
    const double t = x * x + y * y;
    if (t > 1) continue;
    const double factor = std::sqrt(-2 * std::log(t) / t);
    sums.x += x * factor;
    sums.y += y * factor;
    ++sums.annuli[static_cast<std::size_t>(std::fmax(std::fabs(x), std::fabs(y)) * factor)];
  }
  return sums;
}

TEST(Deviates, AreThoseOfTheSpecification) {
  for (const apps::Range pairs : {apps::Range{0, 1}, {0, 100'000}, {12'345, 13'000}, {7, 7}}) {
    const DeviateSums sums = sum_deviates(pairs);
    const DeviateSums expected = sums_by_definition(pairs);
    EXPECT_NEAR(sums.x, expected.x, 1e-9);
    EXPECT_NEAR(sums.y, expected.y, 1e-9);
    EXPECT_EQ(sums.annuli, expected.annuli);
  }
}

TEST(Deviates, OfPartsMakeTheWhole) {
  const apps::Range whole{0, 300'000};
  const DeviateSums expected = sum_deviates(whole);
  for (const int ranks : {2, 3, 7}) {
    DeviateSums joined;
    for (int rank = 0; rank < ranks; ++rank) {
      const DeviateSums part = sum_deviates(apps::part_of(whole, rank, ranks));
      joined.x += part.x;
      joined.y += part.y;
      for (std::size_t l = 0; l < annulus_count; ++l) joined.annuli[l] += part.annuli[l];
    }
    EXPECT_NEAR(joined.x, expected.x, 1e-9) << ranks;
    EXPECT_NEAR(joined.y, expected.y, 1e-9) << ranks;
    EXPECT_EQ(joined.annuli, expected.annuli) << ranks;
  }
}

TEST(Deviates, OfClassSHaveTheKnownSums) {
  const Problem problem = problem_of(ProblemClass::s);
  const DeviateSums sums = sum_deviates({0, problem.pair_count()});
  EXPECT_TRUE(report_of({{sums, {}}}, Options{}).verified());
  // Of the square, the circle has this share.
  const double accepted = std::accumulate(sums.annuli.begin(), sums.annuli.end(), 0.0);
  EXPECT_NEAR(accepted / static_cast<double>(problem.pair_count()), std::acos(-1) / 4, 1e-3);
}

TEST(Deviates, WithoutAPairAreReportedAsFailed) {
  const Problem problem = problem_of(ProblemClass::s);
  const DeviateSums sums = sum_deviates({1, problem.pair_count()});
  EXPECT_FALSE(report_of({{sums, {}}}, Options{}).verified());
}

}  // namespace
}  // namespace tasuki::npb::ep
