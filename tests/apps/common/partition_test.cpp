#include "common/partition.hpp"

#include <gtest/gtest.h>

#include <array>

namespace tasuki::apps {
namespace {

TEST(Partition, PartsAreConsecutiveCompleteAndEven) {
  for (const std::int64_t count : {0, 1, 5, 16, 1400}) {
    for (int parts = 1; parts <= 33; ++parts) {
      std::int64_t end = 10;
      for (int part = 0; part < parts; ++part) {
        const Range range = part_of({10, 10 + count}, part, parts);
        EXPECT_EQ(range.begin, end);
        EXPECT_GE(range.size(), count / parts);
        EXPECT_LE(range.size(), count / parts + 1);
        end = range.end;
      }
      EXPECT_EQ(end, 10 + count);
    }
  }
}

TEST(Partition, SliceIsTheRange) {
  std::array<int, 5> values{0, 1, 2, 3, 4};
  const auto part = slice(values, {1, 3});
  ASSERT_EQ(part.size(), 2u);
  EXPECT_EQ(part[0], 1);
  EXPECT_TRUE((Range{1, 3}.contains(2)));
  EXPECT_FALSE((Range{1, 3}.contains(3)));
}

}  // namespace
}  // namespace tasuki::apps
