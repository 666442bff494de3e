#include <tasuki/detail/containers/agreed_layout.hpp>
#include <tasuki/detail/containers/array_shape.hpp>

#include "support/rank_test.hpp"

namespace tasuki::containers {
namespace {

using layout::ArrayLayout;
using layout::Block;
using layout::Grid;
using layout::Order;
using test::contains;
using test::error_of;
using AgreedLayoutTest = test::RankTest;

TEST_F(AgreedLayoutTest, what_all_ranks_give_is_taken) {
  ArrayLayout layout = layout_of({7, 5}, {Block{}, layout::Whole{}}, 8, size());
  EXPECT_EQ(agreed_layout([&] { return layout; }, 8, world_team()), layout);
}

TEST_F(AgreedLayoutTest, any_difference_is_an_error_on_all_ranks) {
  if (size() == 1) return;
  const bool is_last = rank() == size() - 1;
  const auto text_with = [&](Order order, Order grid_order) {
    const Grid grid({size(), 1}, grid_order);
    ArrayLayout layout({{8, Block{}, size()}, {4, Block{}, 1}}, grid, 8, order);
    return error_of([&] { agreed_layout([&] { return layout; }, 8, world_team()); });
  };
  const Order mine = is_last ? Order::column_major : Order::row_major;
  EXPECT_TRUE(contains(text_with(mine, Order::row_major), "in column-major order on a row-major"));
  EXPECT_TRUE(contains(text_with(Order::row_major, mine), "in row-major order on a column-major"));
}

TEST_F(AgreedLayoutTest, a_layout_that_fits_on_no_rank_is_refused_by_all) {
  ArrayLayout layout = layout_of({7}, {Block{}}, 8, size() + 1);
  const std::string text =
      error_of([&] { agreed_layout([&] { return layout; }, 8, world_team()); });
  EXPECT_TRUE(contains(text, "give a layout of the team's size")) << text;
}

}  // namespace
}  // namespace tasuki::containers
