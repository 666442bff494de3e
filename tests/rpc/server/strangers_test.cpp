#include "rpc/server/strangers.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace tasuki::rpc {
namespace {

constexpr Socket::Seconds timeout{10};

/// Two ends of a connection.
struct Connection {
  explicit Connection(Listener& listener)
      : peer(Socket::connect({"127.0.0.1", listener.port()}, timeout)),
        own(std::make_shared<Socket>(listener.accept(timeout))) {}

  Socket peer;
  std::shared_ptr<Socket> own;
};

TEST(StrangersTest, TheOldestMakesRoom) {
  Listener listener({"127.0.0.1", 0});
  std::vector<Connection> connections;
  for (int i = 0; i < 3; ++i) connections.emplace_back(listener);
  Strangers strangers(2, std::chrono::hours(1));
  std::optional<Strangers::Stay> first(std::in_place, strangers, connections[0].own);
  const Strangers::Stay second(strangers, connections[1].own);
  EXPECT_FALSE(connections[0].own->has_ended());
  const Strangers::Stay third(strangers, connections[2].own);
  EXPECT_TRUE(connections[0].own->has_ended());
  EXPECT_FALSE(connections[1].own->has_ended());
  EXPECT_FALSE(connections[2].own->has_ended());
  first.reset();  // It is not among them any more.
}

TEST(StrangersTest, WhoHasBeenLetInStays) {
  Listener listener({"127.0.0.1", 0});
  Connection guest(listener);
  Connection late(listener);
  Strangers strangers(2, std::chrono::seconds(0));
  { const Strangers::Stay stay(strangers, guest.own); }
  const Strangers::Stay stay(strangers, late.own);
  strangers.end_late();
  EXPECT_FALSE(guest.own->has_ended());
  EXPECT_TRUE(late.own->has_ended());
}

TEST(StrangersTest, AnAddressWithManyMakesRoomForOthers) {
  Listener listener({"0.0.0.0", 0});
  const auto connected_to = [&](const char* host) {
    // To this end the address of the other one is `host`.
    auto made = std::make_shared<Socket>(Socket::connect({host, listener.port()}, timeout));
    return std::pair(made, listener.accept(timeout));
  };
  auto [single, single_peer] = connected_to("127.0.0.2");
  auto [first, first_peer] = connected_to("127.0.0.1");
  auto [second, second_peer] = connected_to("127.0.0.1");
  Strangers strangers(2, std::chrono::hours(1));
  const Strangers::Stay of_single(strangers, single);
  const Strangers::Stay of_first(strangers, first);
  const Strangers::Stay of_second(strangers, second);
  EXPECT_TRUE(first->has_ended());
  EXPECT_FALSE(single->has_ended());
  EXPECT_FALSE(second->has_ended());
}

}  // namespace
}  // namespace tasuki::rpc
