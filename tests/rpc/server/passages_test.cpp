#include "rpc/server/passages.hpp"

#include <gtest/gtest.h>

#include <tasuki/error.hpp>

#include "rpc/tls/tls_secret.hpp"
#include "rpc/wire/transfers.hpp"

namespace tasuki::rpc {
namespace {

TEST(PassagesTest, ATicketIsGoodForOneConnection) {
  Passages passages;
  auto [client, other] = connected();
  int passed_count = 0;
  passages.add("a", [&](Socket& socket) {
    EXPECT_EQ(&socket, &client);
    ++passed_count;
  });
  EXPECT_THROW(passages.pass(client, "b"), error);
  passages.pass(client, "a");
  EXPECT_THROW(passages.pass(client, "a"), error);
  EXPECT_EQ(passed_count, 1);
}

TEST(PassagesTest, WhatIsRemovedIsNotPassed) {
  Passages passages;
  auto [client, other] = connected();
  passages.add("a", [](Socket&) { FAIL(); });
  passages.remove("a");
  EXPECT_THROW(passages.pass(client, "a"), error);
}

TEST(PassagesTest, TicketsExpire) {
  Passages passages(std::chrono::seconds(0));
  auto [client, other] = connected();
  passages.add("a", [](Socket&) { FAIL(); });
  EXPECT_FALSE(passages.find(identity_of("a")));
  EXPECT_THROW(passages.pass(client, "a"), error);
}

TEST(PassagesTest, TicketsAreFoundByTheirIdentities) {
  Passages passages;
  passages.add("a", [](Socket&) {});
  EXPECT_EQ(passages.find(identity_of("a")), "a");
  EXPECT_FALSE(passages.find(identity_of("b")));
  EXPECT_FALSE(passages.find("a"));
}

}  // namespace
}  // namespace tasuki::rpc
