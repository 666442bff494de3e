#include "rpc/server/user_connections.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "rpc/wire/happened.hpp"

namespace tasuki::rpc {
namespace {

TEST(UserConnectionsTest, EachUserHasSoManyAtOnce) {
  UserConnections all(2);
  const User ann{"ann"};
  const User bob{"bob"};
  std::vector<std::unique_ptr<UserConnections::Place>> places;
  places.push_back(all.enter(ann));
  places.push_back(all.enter(ann));
  EXPECT_EQ(happened_in([&] { all.enter(ann); }),
            "the clients of user ann have 2 connections, and the server allows no more");
  places.push_back(all.enter(bob));
  places.erase(places.begin());
  places.push_back(all.enter(ann));
}

TEST(UserConnectionsTest, AUsersOwnLimitHoldsInPlaceOfTheServers) {
  UserConnections all(1);
  const User many{"ann", "", {.connections_at_once = 2}};
  const User none{"bob", "", {.connections_at_once = 0}};
  const auto first = all.enter(many);
  const auto second = all.enter(many);
  EXPECT_NE(happened_in([&] { all.enter(many); }), "");
  EXPECT_NE(happened_in([&] { all.enter(none); }), "");
}

TEST(UserConnectionsTest, WhereNobodyHasATokenAllAreOneUser) {
  UserConnections all(1);
  const auto place = all.enter({});
  EXPECT_EQ(happened_in([&] { all.enter({}); }),
            "all clients have 1 connections, and the server allows no more");
}

}  // namespace
}  // namespace tasuki::rpc
