#include "npb/cg/vector_operations.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace tasuki::npb::cg {
namespace {

// Small integers: every order of summation gives the same bits.
class VectorOperations : public testing::TestWithParam<int> {
 protected:
  std::vector<double> counting(double first) const {
    std::vector<double> values(static_cast<std::size_t>(GetParam()));
    std::iota(values.begin(), values.end(), first);
    return values;
  }
  const double size = GetParam();
};

TEST_P(VectorOperations, DotIsTheSumOfProducts) {
  const std::vector<double> ones(static_cast<std::size_t>(GetParam()), 1.0);
  EXPECT_EQ(dot(counting(0), ones), size * (size - 1) / 2);
}

TEST_P(VectorOperations, StepMovesBothVectors) {
  std::vector<double> z = counting(0);
  std::vector<double> r = counting(0);
  const double square = step(2.0, counting(1), counting(2), z, r);
  double expected = 0;
  for (std::size_t k = 0; k < z.size(); ++k) {
    const auto index = static_cast<double>(k);
    EXPECT_EQ(z[k], index + 2 * (index + 1));
    EXPECT_EQ(r[k], index - 2 * (index + 2));
    expected += r[k] * r[k];
  }
  EXPECT_EQ(square, expected);
}

TEST_P(VectorOperations, OthersAreElementwise) {
  std::vector<double> p = counting(1);
  next_direction(3.0, counting(5), p);
  std::vector<double> scaled(p.size());
  scale(2.0, p, scaled);
  std::vector<double> sum(p.size());
  std::vector<double> two_parts = counting(10);
  const std::vector<double> second = counting(20);
  two_parts.insert(two_parts.end(), second.begin(), second.end());
  add_parts(counting(0), two_parts, sum);
  for (std::size_t k = 0; k < p.size(); ++k) {
    const auto index = static_cast<double>(k);
    EXPECT_EQ(p[k], index + 5 + 3 * (index + 1));
    EXPECT_EQ(scaled[k], 2 * p[k]);
    EXPECT_EQ(sum[k], 3 * index + 30);
  }
  EXPECT_EQ(squared_distance(counting(0), counting(3)), 9 * size);
}

INSTANTIATE_TEST_SUITE_P(Sizes, VectorOperations, testing::Values(0, 1, 3, 4, 5, 8, 31),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace tasuki::npb::cg
