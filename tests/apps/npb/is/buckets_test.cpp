#include "npb/is/buckets.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "npb/is/keys.hpp"

namespace tasuki::npb::is {
namespace {

class Buckets : public testing::Test {
 protected:
  Buckets() { count_buckets(problem, keys, sizes); }

  const Problem problem = problem_of(ProblemClass::w);
  const HugeArray<Key> keys = generate_keys(problem, {5, 100'000});
  std::vector<std::int32_t> sizes = std::vector<std::int32_t>(bucket_count);
};

TEST_F(Buckets, CountsAddToWhatIsThere) {
  std::vector<std::int32_t> expected(bucket_count);
  for (const Key key : keys) ++expected[static_cast<std::size_t>(key >> 6)];
  EXPECT_EQ(sizes, expected);
  count_buckets(problem, std::span(keys).first(17), sizes);
  EXPECT_EQ(std::accumulate(sizes.begin(), sizes.end(), 0), static_cast<int>(keys.size()) + 17);
}

TEST_F(Buckets, RanksGetEvenShares) {
  for (int ranks = 1; ranks <= 33; ++ranks) {
    const std::vector<std::size_t> first = divide_buckets(sizes, ranks);
    ASSERT_EQ(first.size(), static_cast<std::size_t>(ranks) + 1);
    EXPECT_EQ(first.front(), 0u);
    EXPECT_EQ(first.back(), bucket_count);
    const int largest = *std::max_element(sizes.begin(), sizes.end());
    for (std::size_t rank = 0; rank + 1 < first.size(); ++rank) {
      ASSERT_LE(first[rank], first[rank + 1]);
      const int share =
          std::accumulate(sizes.begin() + static_cast<std::ptrdiff_t>(first[rank]),
                          sizes.begin() + static_cast<std::ptrdiff_t>(first[rank + 1]), 0);
      EXPECT_LE(share, static_cast<int>(keys.size()) / ranks + largest);
    }
  }
}

TEST_F(Buckets, NoKeysAtAllCanBeDivided) {
  const std::vector<std::int32_t> none(bucket_count);
  EXPECT_EQ(divide_buckets(none, 3), (std::vector<std::size_t>{0, 0, 0, bucket_count}));
}

TEST_F(Buckets, KeysAreGroupedByOwner) {
  HugeArray<Key> sorted = keys;
  std::sort(sorted.begin(), sorted.end());
  for (const int ranks : {1, 2, 5, 33, 100}) {
    const std::vector<std::size_t> first = divide_buckets(sizes, ranks);
    HugeArray<Key> grouped(keys.size());
    const std::vector<std::size_t> begins = group_keys(problem, keys, sizes, first, grouped);
    ASSERT_EQ(begins.size(), first.size());
    EXPECT_EQ(begins.back(), keys.size());
    for (std::size_t rank = 0; rank + 1 < begins.size(); ++rank) {
      for (std::size_t k = begins[rank]; k < begins[rank + 1]; ++k) {
        const auto bucket = static_cast<std::size_t>(grouped[k] >> problem.bucket_shift());
        ASSERT_TRUE(first[rank] <= bucket && bucket < first[rank + 1]) << ranks;
      }
    }
    std::sort(grouped.begin(), grouped.end());
    EXPECT_EQ(grouped, sorted) << ranks;
  }
}

}  // namespace
}  // namespace tasuki::npb::is
