#include "rpc/server/connections.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

#include "rpc/wire/happened.hpp"
#include "rpc/wire/transfers.hpp"

namespace tasuki::rpc {
namespace {

/// Waits until the peer ends the connection.
void serve(const std::shared_ptr<Socket>& connection) {
  happened_in([&] {
    while (true) {
      std::byte one{};
      connection->receive(&one, 1);
    }
  });
}

TEST(ConnectionsTest, EachIsServedAtOnceAndForgottenWhenItHasEnded) {
  Connections connections;
  std::vector<Socket> peers;
  for (int i = 0; i < 3; ++i) {
    auto [near, far] = connected();
    connections.add(std::move(near), serve);
    peers.push_back(std::move(far));
  }
  while (connections.count() < 3) std::this_thread::yield();
  peers[1].shut_down();
  while (connections.count() > 2) std::this_thread::yield();
  connections.forget_ended();  // Does not wait for the others.
  EXPECT_EQ(connections.count(), 2);
  EXPECT_FALSE(peers[0].has_ended());
  EXPECT_FALSE(peers[2].has_ended());
}

TEST(ConnectionsTest, ThePeerSeesThatNobodyServesItAnyMore) {
  Connections connections;
  auto [near, far] = connected();
  far.set_timeout(Socket::Seconds(60));
  connections.add(std::move(near), [](const std::shared_ptr<Socket>&) {});
  EXPECT_EQ(happened_in([&, &far = far] { far.first_byte(); }), "peer 1 closed the connection");
}

TEST(ConnectionsTest, TheEndShutsDownAllAndWaitsForThem) {
  std::atomic<int> ended_count = 0;
  Connections connections;
  std::vector<Socket> peers;
  for (int i = 0; i < 3; ++i) {
    auto [near, far] = connected();
    connections.add(std::move(near), [&](const std::shared_ptr<Socket>& one) {
      serve(one);
      ++ended_count;
    });
    peers.push_back(std::move(far));
  }
  connections.end();
  EXPECT_EQ(ended_count, 3);
  EXPECT_EQ(connections.count(), 0);
  for (const Socket& one : peers) EXPECT_TRUE(one.has_ended());
}

}  // namespace
}  // namespace tasuki::rpc
