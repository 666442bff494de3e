#include "rpc/wire/block_receiver.hpp"

#include <gtest/gtest.h>

#include <tasuki/error.hpp>
#include <thread>
#include <utility>
#include <vector>

#include "layout/block_copies.hpp"
#include "rpc/wire/block_sender.hpp"
#include "rpc/wire/transfers.hpp"

namespace tasuki::rpc {
namespace {

TEST(BlockReceiverTest, ABlockIsReceivedToWhereItLies) {
  for (const auto& [one, view] : layouts_and_views()) {
    std::vector<std::byte> expected(static_cast<std::size_t>(one.whole_bytes()));
    std::vector<std::byte> array(expected.size());
    for (int rank = 0; rank < one.ranks(); ++rank) {
      const std::vector<std::byte> block = counted(static_cast<std::size_t>(one.local_bytes(rank)));
      layout::unpack_by_elements(one, rank, view, block, expected);
      auto [from, to] = connected();
      std::thread sender([&] { from.send(block.data(), block.size()); });
      receive_block(to, one, rank, view, array.data());
      sender.join();
    }
    EXPECT_EQ(array, expected);
  }
}

TEST(BlockReceiverTest, SelectedElementsAreSentAndReceivedOutOfBlocks) {
  for (const ArrayLayout& all : layouts()) {
    std::vector<layout::IndexRange> ranges;
    for (int i = 0; i < all.dimensions(); ++i) {
      ranges.push_back({all.axis(i).extent() / 3, all.axis(i).extent(), i == 0 ? 1 : 2});
    }
    const ArrayLayout one = all.selecting(ranges);
    const ArrayView view = contiguous_view(one, layout::Order::row_major);
    for (int rank = 0; rank < one.ranks(); ++rank) {
      const std::vector<std::byte> block = counted(static_cast<std::size_t>(one.local_bytes(rank)));
      std::vector<std::byte> received(block.size());
      std::vector<std::byte> expected(block.size());
      std::vector<std::byte> array(static_cast<std::size_t>(one.whole_bytes()));
      layout::unpack_by_elements(one, rank, view, block, array);
      layout::pack_by_elements(one, rank, view, array, expected);
      auto [from, to] = connected();
      std::thread sending([&] {
        BlockSender sender(from);
        sender.add_selected(one, rank, block.data());
        sender.flush();
      });
      receive_selected(to, one, rank, received.data());
      sending.join();
      EXPECT_EQ(received, expected);
    }
  }
}

TEST(BlockReceiverTest, APeerThatGoesIsAnError) {
  const ArrayLayout one = layouts()[0];
  std::vector<std::byte> array(static_cast<std::size_t>(one.whole_bytes()));
  auto [near, far] = connected();
  { const Socket gone = std::move(far); }
  const ArrayView view = contiguous_view(one, layout::Order::row_major);
  EXPECT_THROW(receive_block(near, one, 0, view, array.data()), error);
}

TEST(BlockReceiverTest, APeerThatDoesNothingIsAnErrorAfterTheTimeLimit) {
  const ArrayLayout one = layouts()[0];
  std::vector<std::byte> array(static_cast<std::size_t>(one.whole_bytes()));
  auto [near, far] = connected();
  near.set_timeout(Socket::Seconds(1));
  const ArrayView view = contiguous_view(one, layout::Order::row_major);
  EXPECT_THROW(receive_block(near, one, 0, view, array.data()), error);
}

}  // namespace
}  // namespace tasuki::rpc
