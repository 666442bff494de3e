#include "rpc/server/strangers.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
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

}  // namespace
}  // namespace tasuki::rpc
