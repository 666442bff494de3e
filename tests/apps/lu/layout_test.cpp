#include "lu/layout.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tasuki::lu {
namespace {

TEST(Layout, EveryColumnIsOnceOnTheOwnerOfItsBlock) {
  for (const int n : {1, 2, 7, 64, 100})
    for (const int block : {1, 3, 8, 200})
      for (const int ranks : {1, 2, 3, 8}) {
        const Layout layout(n, block, ranks);
        std::vector<int> seen(static_cast<std::size_t>(n));
        for (int rank = 0; rank < ranks; ++rank) {
          for (int local = 0; local < layout.local_columns(rank); ++local) {
            const int column = layout.column_of(rank, local);
            ASSERT_LT(column, n);
            ++seen[static_cast<std::size_t>(column)];
            const int index = column / layout.block();
            EXPECT_EQ(layout.owner(index), rank);
            EXPECT_GE(column, layout.begin(index));
            EXPECT_LT(column, layout.begin(index + 1));
            EXPECT_GE(local, layout.local_begin(rank, index));
            EXPECT_LT(local, layout.local_begin(rank, index + 1));
          }
        }
        EXPECT_EQ(seen, std::vector<int>(static_cast<std::size_t>(n), 1));
      }
}

TEST(Layout, WidthsAddUp) {
  const Layout layout(100, 64, 3);
  EXPECT_EQ(layout.block_count(), 2);
  EXPECT_EQ(layout.width(0), 64);
  EXPECT_EQ(layout.width(1), 36);
  EXPECT_EQ(layout.local_columns(1), 36);
  EXPECT_EQ(layout.local_columns(2), 0);
}

}  // namespace
}  // namespace tasuki::lu
