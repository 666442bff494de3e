#include "rpc/client/place_arrays.hpp"

#include <gtest/gtest.h>

#include "rpc/interface/parameters.hpp"
#include "rpc/wire/transfers.hpp"

namespace tasuki::rpc {
namespace {

constexpr std::int64_t count = 1 << 20;
constexpr bool shares_memory = true;

/// Of an array that each of the ranks gets, or has a block of.
bool is_read_from_memory(Mode mode, int ranks, bool is_dealt, std::int64_t bytes = count) {
  const Parameter made = parameter("a", mode, Number::int8, {bytes});
  const Parameter dealt = [made] {
    Parameter other = made;
    other.divisions = {CyclicDivision{Expression::from_json(1)}};
    return other;
  }();
  const ArrayLayout layout =
      is_dealt ? ArrayLayout{{Axis(bytes, layout::Block{}, ranks)}, Grid({ranks}), 1}
               : ArrayLayout{{Axis(bytes, layout::Whole{}, 1)}, layout::Replicated{ranks}, 1};
  std::vector<std::byte> memory(static_cast<std::size_t>(bytes));
  const ArrayArgument argument{memory.data(), memory.size(),
                               contiguous_view(layout, layout::Order::row_major)};
  Exchange exchange;
  const PlacedArray placed =
      placed_array(is_dealt ? dealt : made, layout, argument, shares_memory, exchange);
  EXPECT_EQ(exchange.message.contains("memory"), placed.is_in_memory);
  return placed.is_in_memory;
}

TEST(PlaceArraysTest, LongArraysAreReadFromMemory) {
  for (const Mode mode : {Mode::in, Mode::out}) {
    EXPECT_TRUE(is_read_from_memory(mode, 2, false));
    EXPECT_TRUE(is_read_from_memory(mode, 2, true));
    EXPECT_FALSE(is_read_from_memory(mode, 2, true, 1024));
  }
}

TEST(PlaceArraysTest, WhatOneRankWritesWhileOthersReadItIsSent) {
  EXPECT_FALSE(is_read_from_memory(Mode::inout, 2, false));
  EXPECT_TRUE(is_read_from_memory(Mode::inout, 2, true));
  EXPECT_TRUE(is_read_from_memory(Mode::inout, 1, false));
}

}  // namespace
}  // namespace tasuki::rpc
