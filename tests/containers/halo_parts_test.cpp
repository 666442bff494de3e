#include <tasuki/detail/containers/halo_parts.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <tasuki/detail/containers/array_shape.hpp>
#include <tasuki/error.hpp>

namespace tasuki::containers {
namespace {

using layout::Block;
using layout::Cyclic;
using layout::Whole;

TEST(HaloPartsTest, what_one_sends_another_receives) {
  const layout::ArrayLayout layout = layout_of({7, 10}, {Block{}, Block{}}, 8, 6);
  for (const std::int64_t width : {0, 1, 3}) {
    for (int one = 0; one < layout.ranks(); ++one) {
      const HaloParts parts(layout, one, width);
      std::size_t bytes = parts.block().count() * 8;
      for (const SharedBoxes& shared : parts.shared()) {
        bytes += shared.received.front().bytes();
        const HaloParts theirs(layout, shared.rank, width);
        const auto same = std::ranges::find(theirs.shared(), one, &SharedBoxes::rank);
        ASSERT_NE(same, theirs.shared().end());
        EXPECT_EQ(shared.sent.front().bytes(), same->received.front().bytes());
      }
      EXPECT_EQ(bytes, parts.halo().count() * 8);
    }
  }
}

TEST(HaloPartsTest, a_block_lies_inside_of_its_halo) {
  const HaloParts parts(layout_of({4, 4}, {Block{}, Block{}}, sizeof(int), 4), 3, 1);
  const std::array<int, 4> block = {1, 2, 3, 4};
  std::array<int, 9> halo{};
  parts.copy_block(std::as_bytes(std::span(block)).data(),
                   std::as_writable_bytes(std::span(halo)).data());
  EXPECT_EQ(halo, (std::array<int, 9>{0, 0, 0, 0, 1, 2, 0, 3, 4}));
  EXPECT_EQ(parts.offset(std::array<std::int64_t, 2>{1, 1}), 0U);
  EXPECT_EQ(parts.offset(std::array<std::int64_t, 2>{2, 3}), 5U);
}

TEST(HaloPartsTest, a_halo_ends_where_the_array_ends) {
  const layout::ArrayLayout layout = layout_of({8, 5}, {Block{}, Whole{}}, 8, 2);
  const HaloParts parts(layout, 1, 2);
  EXPECT_EQ(parts.halo().lower, (std::vector<std::int64_t>{2, 0}));
  EXPECT_EQ(parts.halo().upper, (std::vector<std::int64_t>{8, 5}));
  EXPECT_TRUE(parts.halo().has(std::array<std::int64_t, 2>{2, 4}));
  EXPECT_FALSE(parts.halo().has(std::array<std::int64_t, 2>{1, 4}));
}

TEST(HaloPartsTest, a_halo_of_any_width_ends_where_the_array_ends) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const HaloParts parts(layout_of({8, 5}, {Block{}, Block{}}, 8, 4), 3, most);
  EXPECT_EQ(parts.halo().lower, (std::vector<std::int64_t>{0, 0}));
  EXPECT_EQ(parts.halo().upper, (std::vector<std::int64_t>{8, 5}));
}

TEST(HaloPartsTest, a_cyclic_dimension_is_an_error) {
  const layout::ArrayLayout layout = layout_of({8, 5}, {Cyclic{}, Whole{}}, 8, 2);
  EXPECT_THROW(HaloParts(layout, 0, 1), error);
}

TEST(HaloPartsTest, a_negative_width_is_an_error) {
  const layout::ArrayLayout layout = layout_of({8}, {Block{}}, 8, 2);
  EXPECT_THROW(HaloParts(layout, 0, -1), error);
  EXPECT_THROW(HaloParts(layout, 0, std::numeric_limits<std::int64_t>::min()), error);
}

}  // namespace
}  // namespace tasuki::containers
