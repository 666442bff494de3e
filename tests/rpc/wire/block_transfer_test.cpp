#include "rpc/wire/block_transfer.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <cstring>
#include <numeric>
#include <tasuki/detail/layout/copy_block.hpp>
#include <tasuki/error.hpp>
#include <thread>
#include <utility>
#include <vector>

namespace tasuki::rpc {
namespace {

using layout::ArrayLayout;
using layout::ArrayView;
using layout::Axis;
using layout::Grid;

std::pair<Socket, Socket> connected() {
  int ends[2];
  EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  return {Socket(ends[0], "peer 0"), Socket(ends[1], "peer 1")};
}

std::vector<std::byte> counted(std::size_t bytes) {
  std::vector<std::byte> data(bytes);
  for (std::size_t i = 0; i < bytes; ++i) data[i] = static_cast<std::byte>(i * 7 + i / 251);
  return data;
}

/// Long rows: runs that are sent from the array; elements in turn: runs that go by the buffer; a
/// mixture; more of both than a list of pieces or the buffer holds.
std::vector<ArrayLayout> layouts() {
  return {
      {{Axis(1500, layout::Cyclic{}, 2), Axis(200, layout::Whole{}, 1)}, Grid({2, 1}), 8},
      {{Axis(300, layout::Block{}, 1), Axis(1000, layout::Cyclic{}, 2)}, Grid({1, 2}), 8},
      {{Axis(64, layout::Whole{}, 1), Axis(900, layout::BlockCyclic{70}, 2)}, Grid({1, 2}), 8},
      {{Axis(0, layout::Block{}, 2)}, Grid({2}), 8},
  };
}

TEST(BlockTransferTest, ABlockArrivesAsPackingWouldMakeIt) {
  for (const ArrayLayout& one : layouts()) {
    const std::vector<std::byte> array = counted(static_cast<std::size_t>(one.whole_bytes()));
    const ArrayView view = contiguous_view(one, layout::Order::row_major);
    for (int rank = 0; rank < one.ranks(); ++rank) {
      std::vector<std::byte> expected(static_cast<std::size_t>(one.local_bytes(rank)));
      layout::pack_block(one, rank, view, array, expected);
      auto [from, to] = connected();
      std::vector<std::byte> received(expected.size());
      std::thread sender([&] { send_block(from, one, rank, view, array.data()); });
      to.receive(received.data(), received.size());
      sender.join();
      EXPECT_EQ(received, expected);
    }
  }
}

TEST(BlockTransferTest, ABlockIsReceivedToWhereItLies) {
  for (const ArrayLayout& one : layouts()) {
    const ArrayView view = contiguous_view(one, layout::Order::row_major);
    std::vector<std::byte> expected(static_cast<std::size_t>(one.whole_bytes()));
    std::vector<std::byte> array(expected.size());
    for (int rank = 0; rank < one.ranks(); ++rank) {
      const std::vector<std::byte> block = counted(static_cast<std::size_t>(one.local_bytes(rank)));
      layout::unpack_block(one, rank, view, block, expected);
      auto [from, to] = connected();
      std::thread sender([&] { from.send(block.data(), block.size()); });
      receive_block(to, one, rank, view, array.data());
      sender.join();
    }
    EXPECT_EQ(array, expected);
  }
}

TEST(BlockTransferTest, APeerThatGoesIsAnError) {
  const ArrayLayout one = layouts()[0];
  std::vector<std::byte> array(static_cast<std::size_t>(one.whole_bytes()));
  const ArrayView view = contiguous_view(one, layout::Order::row_major);
  auto [near, far] = connected();
  { const Socket gone = std::move(far); }
  EXPECT_THROW(send_block(near, one, 0, view, array.data()), error);
  EXPECT_THROW(receive_block(near, one, 0, view, array.data()), error);
}

TEST(BlockTransferTest, APeerThatDoesNothingIsAnErrorAfterTheTimeLimit) {
  auto [near, far] = connected();
  near.set_timeout(Socket::Seconds(1));
  char byte = 0;
  EXPECT_THROW(near.receive(&byte, 1), error);
}

}  // namespace
}  // namespace tasuki::rpc
