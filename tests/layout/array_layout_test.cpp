#include <gtest/gtest.h>
#include <tasuki/detail/layout/array_layout.hpp>
#include <tasuki/error.hpp>

#include <limits>

#include "layout/random_layout.hpp"

namespace tasuki::layout {
namespace {

ArrayLayout whole(Placement placement) {
  return ArrayLayout({Axis(4, Whole{}, 1), Axis(5, Whole{}, 1)}, std::move(placement), 8);
}

TEST(ArrayLayout, EachElementIsOnOneRankAtItsPlaceInTheBlock) {
  RandomLayouts random(3);
  for (int round = 0; round < 200; ++round) {
    const ArrayLayout layout = random.layout();
    std::int64_t bytes = 0;
    for (int rank = 0; rank < layout.ranks(); ++rank) {
      Index extents;
      for (int i = 0; i < layout.dimensions(); ++i) extents.push_back(layout.local_extent(rank, i));
      const std::vector<Index> local = all_indices(extents, layout.order());
      const std::vector<Index> global = indices_of(layout, rank);
      ASSERT_EQ(local.size(), global.size());
      EXPECT_EQ(layout.local_count(rank), static_cast<std::int64_t>(global.size()));
      for (std::size_t i = 0; i < local.size(); ++i)
        for (int axis = 0; axis < layout.dimensions(); ++axis) {
          const auto at = static_cast<std::size_t>(axis);
          EXPECT_EQ(layout.axis(axis).local_index(global[i][at]), local[i][at]);
        }
      bytes += layout.local_bytes(rank);
    }
    EXPECT_EQ(bytes, layout.whole_bytes());
  }
}

TEST(ArrayLayout, SelectedElementsAreThoseOfTheRanges) {
  RandomLayouts random(9);
  for (int round = 0; round < 300; ++round) {
    const ArrayLayout layout = random.selection(random.layout());
    std::int64_t bytes = 0;
    for (int rank = 0; rank < layout.ranks(); ++rank) {
      std::vector<Index> global = indices_of(layout, rank);
      std::erase_if(global, [&](const Index& index) { return !is_selected(layout, index); });
      ASSERT_EQ(layout.selected_count(rank), static_cast<std::int64_t>(global.size()));
      bytes += layout.selected_bytes(rank);
    }
    EXPECT_EQ(layout.whole_selected_bytes(), bytes);
  }
}

TEST(ArrayLayout, RangesOfAllIndicesSelectAll) {
  const ArrayLayout layout = whole(Replicated{2});
  EXPECT_EQ(layout.selecting({{0, 4, 1}, {0, 5, 1}}), layout);
  const ArrayLayout part = layout.selecting({{0, 4, 1}, {1, 5, 3}});
  EXPECT_FALSE(part.selects_all());
  EXPECT_EQ(part.selecting_all(), layout);
  EXPECT_EQ(part.selected_bytes(1), 4 * 2 * 8);
  EXPECT_EQ(part.local_bytes(1), layout.local_bytes(1));
}

TEST(ArrayLayout, RefusesRangesOutsideOfItsAxes) {
  const ArrayLayout layout = whole(Replicated{2});
  EXPECT_THROW(layout.selecting({{0, 4, 1}}), error);
  for (const IndexRange& bad : {IndexRange{-1, 5, 1}, IndexRange{0, 6, 1}, IndexRange{3, 2, 1},
                                IndexRange{0, 5, 0}, IndexRange{4, 0, -1}}) {
    EXPECT_THROW(layout.selecting({{0, 4, 1}, bad}), error);
  }
}

TEST(ArrayLayout, LeadingDimensionIsTheExtentOfTheFastestAxis) {
  const std::vector<Axis> axes{Axis(10, BlockCyclic{2}, 2), Axis(7, Block{}, 3)};
  const Grid grid({2, 3});
  EXPECT_EQ(ArrayLayout(axes, grid, 8, Order::column_major).leading_dimension(0), 6);
  EXPECT_EQ(ArrayLayout(axes, grid, 8, Order::row_major).leading_dimension(0), 3);
  const ArrayLayout empty({Axis(0, Block{}, 1)}, Grid({1}), 8);
  EXPECT_EQ(empty.leading_dimension(0), 1);
}

TEST(ArrayLayout, AnArrayThatIsNotDividedIsOnAllRanksOrOnTheFirst) {
  const ArrayLayout replicated = whole(Replicated{3});
  const ArrayLayout on_first = whole(OnFirstRank{3});
  for (int rank = 0; rank < 3; ++rank) {
    EXPECT_EQ(replicated.local_bytes(rank), 160);
    EXPECT_EQ(on_first.local_bytes(rank), rank == 0 ? 160 : 0);
  }
  EXPECT_EQ(on_first.local_extent(1, 0), 0);
  EXPECT_EQ(replicated.owner(Index{3, 4}), 0);
}

TEST(ArrayLayout, AnArrayWithoutAxesIsOneElement) {
  EXPECT_EQ(ArrayLayout({}, Replicated{2}, 8).local_bytes(1), 8);
}

TEST(ArrayLayout, RefusesWhatDoesNotFit) {
  const Axis axis(4, Block{}, 2);
  EXPECT_THROW(ArrayLayout({axis}, Grid({2, 1}), 8), error);
  EXPECT_THROW(ArrayLayout({axis}, Grid({3}), 8), error);
  EXPECT_THROW(ArrayLayout({axis}, Replicated{2}, 8), error);
  EXPECT_THROW(ArrayLayout({axis}, Grid({2}), 0), error);
  EXPECT_THROW(whole(Replicated{0}), error);
  EXPECT_THROW(whole(OnFirstRank{1}).check_rank(1), error);
}

TEST(ArrayLayout, RefusesMoreBytesThan64BitsCount) {
  const auto bytes_of = [](std::int64_t rows, std::int64_t columns, std::size_t element_bytes) {
    return ArrayLayout({Axis(rows, Block{}, 2), Axis(columns, Cyclic{}, 2)}, Grid({2, 2}),
                       element_bytes)
        .whole_bytes();
  };
  constexpr std::int64_t large = std::int64_t{1} << 31;
  EXPECT_EQ(bytes_of(large, large - 1, 1), large * (large - 1));
  EXPECT_EQ(bytes_of(large, 0, 8), 0);
  EXPECT_THROW(bytes_of(large, large, 2), error);
  EXPECT_THROW(bytes_of(1, 1, std::numeric_limits<std::size_t>::max()), error);
  EXPECT_THROW(ArrayLayout({Axis(large, Whole{}, 1), Axis(large, Whole{}, 1), Axis(0, Whole{}, 1)},
                           Replicated{1}, 2),
               error);
}

}  // namespace
}  // namespace tasuki::layout
