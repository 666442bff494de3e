#include <gtest/gtest.h>
#include <tasuki/detail/layout/owner_cursor.hpp>

#include <vector>

#include "layout/random_layout.hpp"

namespace tasuki::layout {
namespace {

/// The rank of each element, in the order of the array's memory.
std::vector<int> owners_by_cursor(const ArrayLayout& layout) {
  std::vector<int> owners;
  OwnerCursor cursor(layout);
  while (const auto run = cursor.next()) {
    EXPECT_GT(run->bytes, 0);
    EXPECT_EQ(run->bytes % layout.element_bytes(), 0);
    owners.insert(owners.end(), static_cast<std::size_t>(run->bytes / layout.element_bytes()),
                  run->rank);
  }
  EXPECT_FALSE(cursor.next());
  return owners;
}

std::vector<int> owners_one_by_one(const ArrayLayout& layout) {
  Index extents;
  for (int i = 0; i < layout.dimensions(); ++i) extents.push_back(layout.axis(i).extent());
  std::vector<int> owners;
  for (const Index& index : all_indices(extents, layout.order())) {
    if (is_selected(layout, index)) owners.push_back(layout.owner(index));
  }
  return owners;
}

TEST(OwnerCursor, GivesTheOwnerOfEachElement) {
  RandomLayouts random(7);
  for (int round = 0; round < 2000; ++round) {
    const ArrayLayout layout = random.layout();
    ASSERT_EQ(owners_by_cursor(layout), owners_one_by_one(layout)) << "round " << round;
  }
}

TEST(OwnerCursor, GivesTheOwnerOfEachSelectedElement) {
  RandomLayouts random(8);
  for (int round = 0; round < 2000; ++round) {
    const ArrayLayout layout = random.selection(random.layout());
    ASSERT_EQ(owners_by_cursor(layout), owners_one_by_one(layout)) << "round " << round;
  }
}

TEST(OwnerCursor, RowsThatAreNotDividedAreOneRun) {
  const ArrayLayout layout({Axis(100, Block{}, 4), Axis(50, Whole{}, 1)}, Grid({4, 1}), 8);
  OwnerCursor cursor(layout);
  for (int rank = 0; rank < 4; ++rank) {
    EXPECT_EQ(cursor.next(), (OwnedRun{rank, 25 * 50 * 8}));
  }
  EXPECT_FALSE(cursor.next());
}

TEST(OwnerCursor, AnArrayOnEachRankIsOneRunOfTheFirst) {
  const ArrayLayout layout({Axis(6, Whole{}, 1), Axis(5, Whole{}, 1)}, Replicated{3}, 8);
  OwnerCursor cursor(layout);
  EXPECT_EQ(cursor.next(), (OwnedRun{0, 6 * 5 * 8}));
  EXPECT_FALSE(cursor.next());
}

}  // namespace
}  // namespace tasuki::layout
