#include "linpack/dgefa.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "apps/linpack/random_equations.hpp"

namespace linpack {
namespace {

using Numbers = std::vector<double>;
using Rows = std::vector<std::int64_t>;

constexpr double tolerance = 1e-9;

/// Takes back what LINPACK says that dgefa does, step by step from the last: step k exchanges row k
/// and the pivot's in the columns from k on, and then adds multiples of row k to those below it.
Numbers multiplied(Numbers factors, const Rows& pivots) {
  const auto n = std::ssize(pivots);
  const Matrix a{n, factors};
  for (std::int64_t k = n - 1; k >= 0; --k) {
    const std::int64_t pivot = pivots[at(k)];
    Numbers multipliers(a.column(k).begin(), a.column(k).end());
    for (std::int64_t i = k + 1; i < n; ++i) {
      EXPECT_LE(std::abs(multipliers[at(i)]), 1) << "the pivot of step " << k << " was not largest";
      a.column(k)[at(i)] = 0;
    }
    for (std::int64_t j = k; j < n; ++j) {
      const auto column = a.column(j);
      for (std::int64_t i = k + 1; i < n; ++i) column[at(i)] -= multipliers[at(i)] * column[at(k)];
      std::swap(column[at(k)], column[at(pivot)]);
    }
  }
  return factors;
}

void expect_near(const Numbers& found, const Numbers& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], tolerance);
}

/// a x, or trans(a) x.
Numbers product(Numbers columns, const Numbers& x, bool is_transposed) {
  const auto n = std::ssize(x);
  const Matrix a{n, columns};
  Numbers b(x.size());
  for (std::int64_t j = 0; j < n; ++j) {
    for (std::int64_t i = 0; i < n; ++i) {
      b[at(is_transposed ? j : i)] += a.column(j)[at(i)] * x[at(is_transposed ? i : j)];
    }
  }
  return b;
}

TEST(DgefaTest, LeavesFactorsAndMultipliersAsLinpackDoes) {
  // The rows are (1, 2, 4), (2, 2, 2), (4, 4, 8). Step 0 takes the last one up and leaves (2, 2, 2)
  // - (4, 4, 8) / 2 = (0, 0, -2) and (1, 2, 4) - (4, 4, 8) / 4 = (0, 1, 2), step 1 exchanges those.
  Numbers columns = {1, 2, 4, 2, 2, 4, 4, 2, 8};
  EXPECT_EQ(dgefa({3, columns}), (Rows{2, 2, 2}));
  EXPECT_EQ(columns, (Numbers{4, -0.5, -0.25, 4, 1, 0, 8, 2, -2}));
}

TEST(DgefaTest, TakesTheUpperOfEqualPivots) {
  Numbers columns = {1, -3, 3, 0, 1, 0, 0, 0, 1};
  EXPECT_EQ(dgefa({3, columns})[0], 1);
}

TEST(DgefaTest, TheStepsLeadFromTheMatrixToItsFactors) {
  for (const std::int64_t n : {1, 2, 3, 17, 60}) {
    RandomEquations random(n, static_cast<unsigned>(n));
    const Numbers columns = random.columns();
    Numbers factors = columns;
    const Rows pivots = dgefa({n, factors});
    ASSERT_EQ(std::ssize(pivots), n);
    for (std::int64_t k = 0; k < n; ++k) EXPECT_TRUE(pivots[at(k)] >= k && pivots[at(k)] < n);
    EXPECT_EQ(pivots.back(), n - 1);
    expect_near(multiplied(factors, pivots), columns);
  }
}

TEST(DgefaTest, AColumnOfZerosIsSkipped) {
  Numbers columns = {0, 0, 0, 1, 2, 4, 1, 1, 1};
  const Numbers before = columns;
  const Rows pivots = dgefa({3, columns});
  EXPECT_EQ(pivots, (Rows{0, 2, 2}));
  EXPECT_EQ(columns[0], 0);
  expect_near(multiplied(columns, pivots), before);
}

TEST(DgeslTest, SolvesEquationsOfTheMatrixAndOfItsTranspose) {
  for (const std::int64_t n : {1, 2, 3, 17, 60}) {
    RandomEquations random(n, static_cast<unsigned>(n));
    const Numbers columns = random.columns();
    const Numbers x = random.right_side();
    Numbers factors = columns;
    const Rows pivots = dgefa({n, factors});
    for (const bool is_transposed : {false, true}) {
      Numbers b = product(columns, x, is_transposed);
      dgesl({n, factors}, pivots, b, is_transposed);
      expect_near(b, x);
    }
  }
}

TEST(DgeslTest, WithoutEquationsThereIsNothingToDo) {
  Numbers none;
  const Rows pivots = dgefa({0, none});
  EXPECT_TRUE(pivots.empty());
  for (const bool is_transposed : {false, true}) dgesl({0, none}, pivots, none, is_transposed);
}

}  // namespace
}  // namespace linpack
