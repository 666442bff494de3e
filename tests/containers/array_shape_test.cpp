#include <tasuki/detail/containers/array_shape.hpp>

#include "layout/random_layout.hpp"
#include "support/rank_test.hpp"

namespace tasuki::containers {
namespace {

using layout::ArrayLayout;
using layout::Block;
using layout::Cyclic;
using layout::Whole;
using test::contains;
using test::error_of;
using ArrayShapeTest = test::RankTest;

TEST_F(ArrayShapeTest, ranks_are_divided_among_dimensions_that_are_not_whole) {
  const ArrayLayout layout = layout_of({10, 20, 30}, {Block{}, Whole{}, Cyclic{}}, 8, 6);
  EXPECT_EQ(layout.axis(0).processes(), 3);
  EXPECT_EQ(layout.axis(1).processes(), 1);
  EXPECT_EQ(layout.axis(2).processes(), 2);
  EXPECT_TRUE(contains(error_of([] { layout_of({10}, {Whole{}}, 8, 2); }), "dimensions are whole"));
  EXPECT_TRUE(
      contains(error_of([] { layout_of({10}, {}, 8, 2); }), "1 extents and 0 distributions"));
}

TEST_F(ArrayShapeTest, places_are_those_of_the_blocks) {
  layout::RandomLayouts random(3);
  for (int i = 0; i < 100; ++i) {
    const ArrayLayout layout = random.layout();
    for (int rank = 0; rank < layout.ranks(); ++rank) {
      std::ptrdiff_t offset = 0;
      for (const layout::Index& index : layout::indices_of(layout, rank)) {
        const Place place = place_of(layout, index);
        ASSERT_EQ(place.rank, rank);
        ASSERT_EQ(place.offset, offset++);
      }
    }
  }
}

TEST_F(ArrayShapeTest, an_index_outside_is_an_error) {
  const ArrayLayout layout = layout_of({10, 20}, {Block{}, Block{}}, 8, 4);
  for (const std::vector<std::int64_t>& index :
       std::vector<std::vector<std::int64_t>>{{10, 0}, {0, -1}, {1}, {1, 1, 1}}) {
    const std::string text = error_of([&] { place_of(layout, index); });
    EXPECT_TRUE(contains(text, "in an array of 10 x 20. Remedy: give one index")) << text;
  }
}

TEST_F(ArrayShapeTest, a_layout_of_other_ranks_is_an_error) {
  const ArrayLayout layout = layout_of({10}, {Block{}}, 8, 4);
  check_layout(layout, 8, 4);
  EXPECT_TRUE(contains(error_of([&] { check_layout(layout, 8, 3); }), "the team 3 ranks"));
  EXPECT_TRUE(contains(error_of([&] { check_layout(layout, 4, 4); }), "the type 4 bytes"));
  EXPECT_THROW(check_layout(ArrayLayout({}, layout::Replicated{4}, 8), 8, 4), error);
}

TEST_F(ArrayShapeTest, slabs_follow_each_other_in_the_whole_array) {
  layout::RandomLayouts random(4);
  for (int i = 0; i < 50; ++i) {
    const ArrayLayout layout = random.layout();
    if (layout.dimensions() == 0) continue;
    const ArrayLayout slabs = slabs_of(layout, layout.order());
    std::vector<layout::Index> all;
    for (int rank = 0; rank < slabs.ranks(); ++rank) {
      for (layout::Index& index : layout::indices_of(slabs, rank)) all.push_back(std::move(index));
    }
    EXPECT_EQ(all, layout::all_indices(extents_of(layout), layout.order()));
  }
}

TEST_F(ArrayShapeTest, arrays_of_other_extents_are_told_apart) {
  const ArrayLayout one = layout_of({10, 20}, {Block{}, Block{}}, 8, 4);
  const ArrayLayout other = layout_of({20, 10}, {Block{}, Block{}}, 8, 4);
  check_same_extents(one, one, world_team(), world_team());
  const std::string text =
      error_of([&] { check_same_extents(one, other, world_team(), world_team()); });
  EXPECT_TRUE(contains(text, "one array has 10 x 20 elements, the other 20 x 10")) << text;
}

}  // namespace
}  // namespace tasuki::containers
