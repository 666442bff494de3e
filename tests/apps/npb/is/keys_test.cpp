#include "npb/is/keys.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace tasuki::npb::is {
namespace {

const Problem problem = problem_of(ProblemClass::s);
const Range everywhere{0, problem.key_count()};

// Sums and samples computed independently, with arbitrary precision.
TEST(Keys, AreThoseOfTheSpecification) {
  const HugeArray<Key> keys = generate_keys(problem, everywhere);
  ASSERT_EQ(keys.size(), 65536u);
  EXPECT_EQ(std::accumulate(keys.begin(), keys.end(), std::int64_t{0}), 67027849);
  EXPECT_EQ(std::vector<Key>(keys.begin(), keys.begin() + 5),
            (std::vector<Key>{1585, 825, 1060, 1343, 956}));
  std::vector<Key> tested;
  for (const TestKey& test : problem.tests)
    tested.push_back(keys[static_cast<std::size_t>(test.place)]);
  EXPECT_EQ(tested, (std::vector<Key>{50, 158, 310, 1697, 1855}));
  EXPECT_EQ(*std::min_element(keys.begin(), keys.end()), 50);
  EXPECT_EQ(*std::max_element(keys.begin(), keys.end()), 1973);
}

TEST(Keys, AreTheSameOnAnyNumberOfRanks) {
  const HugeArray<Key> all = generate_keys(problem, everywhere);
  for (const int ranks : {2, 3, 7}) {
    HugeArray<Key> joined;
    for (int rank = 0; rank < ranks; ++rank) {
      const HugeArray<Key> part = generate_keys(problem, part_of(everywhere, rank, ranks));
      joined.insert(joined.end(), part.begin(), part.end());
    }
    EXPECT_EQ(joined, all) << ranks;
  }
}

TEST(Keys, TwoChangeInEveryIteration) {
  const HugeArray<Key> before = generate_keys(problem, everywhere);
  HugeArray<Key> keys = before;
  change_keys(problem, everywhere, 3, keys);
  EXPECT_EQ(keys[3], 3);
  EXPECT_EQ(keys[13], 2048 - 3);
  keys[3] = before[3];
  keys[13] = before[13];
  EXPECT_EQ(keys, before);
  change_keys(problem, {20, 30}, 3, std::span(keys).first(10));
  EXPECT_EQ(keys, before);
}

TEST(Keys, PerturbingChangesOneKey) {
  const HugeArray<Key> before = generate_keys(problem, everywhere);
  HugeArray<Key> keys = before;
  perturb_keys(problem, everywhere, keys);
  EXPECT_EQ(std::mismatch(keys.begin(), keys.end(), before.begin()).first, keys.begin() + 100);
  keys[100] = before[100];
  EXPECT_EQ(keys, before);
}

}  // namespace
}  // namespace tasuki::npb::is
