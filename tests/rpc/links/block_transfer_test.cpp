#include "rpc/links/block_transfer.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <tasuki/error.hpp>
#include <vector>

#include "rpc/interface/parameters.hpp"
#include "rpc/wire/transfers.hpp"

namespace tasuki::rpc {
namespace {

/// 6 x 4 numbers whose rows are dealt to two ranks, in memory of either order.
struct Rows {
  static ArrayArgument argument(std::array<std::int32_t, 24>& memory, const ArrayView& view) {
    return {reinterpret_cast<std::byte*>(memory.data()), sizeof memory, view};
  }

  const Parameter array_parameter = parameter("a", Mode::inout, Number::int32, {6, 4});
  const ArrayLayout array_layout{
      {Axis(6, layout::Cyclic{}, 2), Axis(4, layout::Whole{}, 1)}, Grid({2, 1}), 4};
  const ArrayView rows = contiguous_view(array_layout, layout::Order::row_major);
  const ArrayView columns = contiguous_view(array_layout, layout::Order::column_major);
};

class BlockTransferTest : public testing::TestWithParam<WireFormat>, protected Rows {};

INSTANTIATE_TEST_SUITE_P(Forms, BlockTransferTest,
                         testing::Values(WireFormat::native, WireFormat::xdr),
                         [](const auto& one) { return std::string(name_of(one.param)); });

TEST_P(BlockTransferTest, BlocksGoFromTheirPlacesToTheirPlaces) {
  std::array<std::int32_t, 24> from{};
  std::array<std::int32_t, 24> to{};
  for (int i = 0; i < 24; ++i) from[static_cast<std::size_t>(i)] = 100 + i;
  const ArrayArgument sent = argument(from, rows);
  const ArrayArgument received = argument(to, columns);
  for (int rank = 0; rank < 2; ++rank) {
    auto [near, far] = connected();
    BlockSender sender(near);
    const std::array<PlacedArray, 1> arrays = {{{array_parameter, array_layout, sent}}};
    send_blocks(near, sender, GetParam(), rank, arrays);
    receive_placed(far, GetParam(), rank, {array_parameter, array_layout, received});
    for (int row = 0; row < 6; ++row) {
      for (int column = 0; column < 4; ++column) {
        const bool has_come = row % 2 <= rank;
        EXPECT_EQ(to[static_cast<std::size_t>(column * 6 + row)],
                  has_come ? 100 + row * 4 + column : 0);
      }
    }
  }
}

TEST_P(BlockTransferTest, NumbersOfTheOtherByteOrderAreSwappedOnTheirWayAndStayAsTheyAre) {
  std::array<std::int32_t, 24> from{};
  std::array<std::int32_t, 24> to{};
  from[4 * 1 + 2] = 0x01020304;
  const std::array<std::int32_t, 24> before = from;
  ArrayArgument sent = argument(from, rows);
  ArrayArgument received = argument(to, rows);
  const auto transfer = [&] {
    auto [near, far] = connected();
    BlockSender sender(near);
    const std::array<PlacedArray, 1> arrays = {{{array_parameter, array_layout, sent}}};
    send_blocks(near, sender, GetParam(), 1, arrays);
    receive_placed(far, GetParam(), 1, {array_parameter, array_layout, received});
    return to[4 * 1 + 2];
  };
  sent.is_byte_swapped = true;
  EXPECT_EQ(transfer(), 0x04030201);
  EXPECT_EQ(from, before);
  received.is_byte_swapped = true;
  EXPECT_EQ(transfer(), 0x01020304);
  sent.is_byte_swapped = false;
  EXPECT_EQ(transfer(), 0x04030201);
}

TEST_P(BlockTransferTest, WhatWasAddedBeforeGoesFirst) {
  std::array<std::int32_t, 24> from{};
  const ArrayArgument sent = argument(from, rows);
  auto [near, far] = connected();
  BlockSender sender(near);
  const std::array<std::byte, 3> head = {std::byte{1}, std::byte{2}, std::byte{3}};
  sender.add(head);
  const std::array<PlacedArray, 1> arrays = {{{array_parameter, array_layout, sent}}};
  send_blocks(near, sender, GetParam(), 0, arrays);
  near.shut_down();
  std::array<std::byte, 3 + 12 * 4> received{};
  far.receive(received.data(), received.size());
  EXPECT_EQ(received[2], std::byte{3});
  EXPECT_EQ(received[3], std::byte{0});
  EXPECT_THROW(far.receive(received.data(), 1), error);
}

class MemoryTransferTest : public testing::Test, protected Rows {};

TEST_F(MemoryTransferTest, WhatTheRankReadsFromMemoryIsNotSent) {
  std::array<std::int32_t, 24> from{};
  const ArrayArgument sent = argument(from, rows);
  auto [near, far] = connected();
  BlockSender sender(near);
  const std::array<PlacedArray, 1> arrays = {{{array_parameter, array_layout, sent, true}}};
  send_blocks(near, sender, WireFormat::native, 0, arrays);
  near.shut_down();
  std::byte received{};
  EXPECT_THROW(far.receive(&received, 1), error);
}

}  // namespace
}  // namespace tasuki::rpc
