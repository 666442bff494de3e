#include "rpc/wire/block_sender.hpp"

#include <gtest/gtest.h>

#include <tasuki/error.hpp>
#include <thread>
#include <utility>
#include <vector>

#include "layout/block_copies.hpp"
#include "rpc/wire/transfers.hpp"

namespace tasuki::rpc {
namespace {

TEST(BlockSenderTest, ABlockArrivesAsPackingWouldMakeIt) {
  for (const auto& [one, view] : layouts_and_views()) {
    const std::vector<std::byte> array = counted(static_cast<std::size_t>(one.whole_bytes()));
    for (int rank = 0; rank < one.ranks(); ++rank) {
      std::vector<std::byte> expected(static_cast<std::size_t>(one.local_bytes(rank)));
      layout::pack_by_elements(one, rank, view, array, expected);
      auto [from, to] = connected();
      std::vector<std::byte> received(expected.size());
      std::thread thread([&, &layout = one, &view = view] {
        BlockSender sender(from);
        sender.add_block(layout, rank, view, array.data());
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
  layout::pack_by_elements(one, 1, view, array, block);
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
