#include "rpc/wire/block_sender.hpp"

#include <gtest/gtest.h>

#include <tasuki/detail/layout/copy_block.hpp>
#include <tasuki/error.hpp>
#include <thread>
#include <utility>
#include <vector>

#include "rpc/wire/transfers.hpp"

namespace tasuki::rpc {
namespace {

TEST(BlockSenderTest, ABlockArrivesAsPackingWouldMakeIt) {
  for (const ArrayLayout& one : layouts()) {
    const std::vector<std::byte> array = counted(static_cast<std::size_t>(one.whole_bytes()));
    const ArrayView view = contiguous_view(one, layout::Order::row_major);
    for (int rank = 0; rank < one.ranks(); ++rank) {
      std::vector<std::byte> expected(static_cast<std::size_t>(one.local_bytes(rank)));
      layout::pack_block(one, rank, view, array, expected);
      auto [from, to] = connected();
      std::vector<std::byte> received(expected.size());
      std::thread thread([&] {
        BlockSender sender(from);
        sender.add_block(one, rank, view, array.data());
        sender.flush();
      });
      to.receive(received.data(), received.size());
      thread.join();
      EXPECT_EQ(received, expected);
    }
  }
}

TEST(BlockSenderTest, BytesGoBeforeAndBehindABlockInTheOrderInWhichTheyWereAdded) {
  const ArrayLayout one = layouts()[2];
  const std::vector<std::byte> array = counted(static_cast<std::size_t>(one.whole_bytes()));
  const ArrayView view = contiguous_view(one, layout::Order::row_major);
  const std::vector<std::byte> head = counted(17);
  const std::vector<std::byte> tail = counted(5000);
  std::vector<std::byte> block(static_cast<std::size_t>(one.local_bytes(1)));
  layout::pack_block(one, 1, view, array, block);
  std::vector<std::byte> expected = head;
  expected.insert(expected.end(), block.begin(), block.end());
  expected.insert(expected.end(), tail.begin(), tail.end());
  auto [from, to] = connected();
  std::thread thread([&] {
    BlockSender sender(from);
    for (int i = 0; i < 2; ++i) {
      sender.add(head);
      sender.add_block(one, 1, view, array.data());
      sender.add(tail);
      sender.flush();
    }
  });
  for (int i = 0; i < 2; ++i) {
    std::vector<std::byte> received(expected.size());
    to.receive(received.data(), received.size());
    EXPECT_EQ(received, expected);
  }
  thread.join();
}

TEST(BlockSenderTest, APeerThatGoesIsAnError) {
  const ArrayLayout one = layouts()[0];
  const std::vector<std::byte> array(static_cast<std::size_t>(one.whole_bytes()));
  auto [near, far] = connected();
  { const Socket gone = std::move(far); }
  BlockSender sender(near);
  EXPECT_THROW(
      sender.add_block(one, 0, contiguous_view(one, layout::Order::row_major), array.data());
      sender.flush(), error);
}

}  // namespace
}  // namespace tasuki::rpc
