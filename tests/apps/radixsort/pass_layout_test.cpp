#include "radixsort/pass_layout.hpp"

#include <gtest/gtest.h>

#include <array>

namespace tasuki::radixsort {
namespace {

using apps::Range;

TEST(PassLayout, OrdersByDigitThenByRank) {
  const PassLayout layout(std::array<std::int64_t, 6>{2, 0, 1, 3, 4, 5}, 3);
  EXPECT_EQ(layout.segment(0, 0), (Range{0, 2}));
  EXPECT_EQ(layout.segment(1, 0), (Range{2, 5}));
  EXPECT_EQ(layout.segment(0, 1), (Range{5, 5}));
  EXPECT_EQ(layout.segment(1, 1), (Range{5, 9}));
  EXPECT_EQ(layout.segment(0, 2), (Range{9, 10}));
  EXPECT_EQ(layout.segment(1, 2), (Range{10, 15}));
}

TEST(PassLayout, IntersectionsOfDistantRangesAreEmpty) {
  EXPECT_EQ(intersection({0, 5}, {3, 9}), (Range{3, 5}));
  EXPECT_EQ(intersection({3, 9}, {0, 5}).size(), 2);
  EXPECT_EQ(intersection({0, 3}, {5, 9}).size(), 0);
  EXPECT_EQ(intersection({5, 9}, {0, 3}).size(), 0);
  EXPECT_EQ(intersection({0, 9}, {4, 4}).size(), 0);
}

}  // namespace
}  // namespace tasuki::radixsort
