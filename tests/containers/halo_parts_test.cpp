#include <tasuki/detail/containers/halo_parts.hpp>

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <numeric>
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
      const std::vector<std::size_t> received = parts.received_counts();
      EXPECT_EQ(std::accumulate(received.begin(), received.end(), std::size_t{0}),
                parts.halo().count());
      for (int other = 0; other < layout.ranks(); ++other) {
        const HaloParts theirs(layout, other, width);
        EXPECT_EQ(parts.sent_counts()[static_cast<std::size_t>(other)],
                  theirs.received_counts()[static_cast<std::size_t>(one)]);
      }
    }
  }
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
