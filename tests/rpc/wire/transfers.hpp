// Connections, blocks and layouts for tests of what sends and receives blocks.
#pragma once

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <cstddef>
#include <tasuki/detail/layout/array_layout.hpp>
#include <tasuki/detail/layout/array_view.hpp>
#include <tasuki/detail/layout/order.hpp>
#include <utility>
#include <vector>

#include "rpc/wire/socket.hpp"

namespace tasuki::rpc {

using layout::ArrayLayout;
using layout::ArrayView;
using layout::Axis;
using layout::Grid;

inline std::pair<Socket, Socket> connected() {
  int ends[2];
  EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  return {Socket(ends[0], "peer 0"), Socket(ends[1], "peer 1")};
}

/// The same by the network of this machine: who listens and who connects. Throws tasuki::error if
/// it has no such addresses.
inline std::pair<Socket, Socket> connected_by_tcp(const char* listens = "127.0.0.1",
                                                  const char* connects = "127.0.0.1") {
  Listener listener({listens, 0});
  constexpr Socket::Seconds timeout{60};
  Socket near = Socket::connect({connects, listener.port()}, timeout);
  Socket far = listener.accept(timeout);
  return {std::move(far), std::move(near)};
}

inline std::vector<std::byte> counted(std::size_t bytes) {
  std::vector<std::byte> data(bytes);
  for (std::size_t i = 0; i < bytes; ++i) data[i] = static_cast<std::byte>(i * 7 + i / 251);
  return data;
}

/// Long rows: runs that are sent from the array; elements in turn: runs that go by the buffer; a
/// mixture; more of both than a list of pieces or the buffer holds.
inline std::vector<ArrayLayout> layouts() {
  return {
      {{Axis(1500, layout::Cyclic{}, 2), Axis(200, layout::Whole{}, 1)}, Grid({2, 1}), 8},
      {{Axis(300, layout::Block{}, 1), Axis(1000, layout::Cyclic{}, 2)}, Grid({1, 2}), 8},
      {{Axis(64, layout::Whole{}, 1), Axis(900, layout::BlockCyclic{70}, 2)}, Grid({1, 2}), 8},
      {{Axis(0, layout::Block{}, 2)}, Grid({2}), 8},
  };
}

/// The arrays of the layouts, each in the order of its blocks and in the other one.
inline std::vector<std::pair<ArrayLayout, ArrayView>> layouts_and_views() {
  std::vector<std::pair<ArrayLayout, ArrayView>> all;
  for (const ArrayLayout& one : layouts()) {
    for (const auto order : {layout::Order::row_major, layout::Order::column_major}) {
      all.emplace_back(one, contiguous_view(one, order));
    }
  }
  return all;
}

}  // namespace tasuki::rpc
