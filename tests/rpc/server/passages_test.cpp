#include "rpc/server/passages.hpp"

#include <gtest/gtest.h>

#include <tasuki/error.hpp>

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

}  // namespace
}  // namespace tasuki::rpc
