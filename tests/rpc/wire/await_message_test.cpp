#include "rpc/wire/await_message.hpp"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <future>

#include "rpc/wire/transfers.hpp"

namespace tasuki::rpc {
namespace {

constexpr std::chrono::milliseconds a_while{50};

TEST(AwaitMessageTest, ReturnsOnlyOnceSomethingHasCome) {
  auto [near, far] = connected();
  auto waiting = std::async(std::launch::async, [&near = near] { await_message(near); });
  EXPECT_EQ(waiting.wait_for(a_while), std::future_status::timeout);
  far.send("x", 1);
  waiting.get();
  char letter = 0;
  near.receive(&letter, 1);
  EXPECT_EQ(letter, 'x');
}

TEST(AwaitMessageTest, ReturnsWhenThePeerEnds) {
  auto [near, far] = connected();
  auto waiting = std::async(std::launch::async, [&near = near] { await_message(near); });
  far.shut_down();
  waiting.get();
  EXPECT_TRUE(near.has_ended());
}

TEST(AwaitMessageTest, WhatWasReceivedAheadIsThereAlready) {
  auto [near, far] = connected();
  far.send("xyz", 3);
  std::array<char, 2> letters{};
  near.receive(letters.data(), 1);
  ASSERT_TRUE(near.has_ahead());
  await_message(near);  // The descriptor tells of nothing.
  near.receive(letters.data(), 2);
  EXPECT_EQ(letters, (std::array{'y', 'z'}));
}

}  // namespace
}  // namespace tasuki::rpc
