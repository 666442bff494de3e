#include "rpc/rank/call_reporter.hpp"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <thread>

#include "rpc/wire/frame.hpp"
#include "rpc/wire/transfers.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

class CallReporterTest : public testing::Test {
 protected:
  CallReporterTest() { front_end_.set_timeout(Socket::Seconds(60)); }

  std::pair<Socket, Socket> sockets_ = connected();
  std::pair<Socket, Socket> clients_ = connected();
  Socket& front_end_ = sockets_.first;
  const Socket& client_ = clients_.first;
  FrontEndLink link_{std::move(sockets_.second)};
  CallReporter reporter_{link_};
};

TEST_F(CallReporterTest, TheEndOfALeaseTellsOfItsCallsAndOfWhatIsKept) {
  reporter_.begin_lease(7);
  reporter_.begin({"keep", "solve", "a"}, client_);
  reporter_.tell_kept({"a", false, 80, {{"argument", "A"}}});
  reporter_.end(CallState::done);
  reporter_.end_lease();
  json told = receive_frame(front_end_);
  json kept = told.value("kept", json::array());
  while (told.at("ended") != 1) {  // On a slow machine it is told of as under way before.
    told = receive_frame(front_end_);
    for (const json& one : told.value("kept", json::array())) kept.push_back(one);
  }
  EXPECT_EQ(told.at("lease"), 7);
  ASSERT_EQ(told.at("calls").size(), 1U);
  EXPECT_EQ(told["calls"][0].at("state"), "done");
  EXPECT_EQ(
      kept,
      json({{{"name", "a"}, {"is_object", false}, {"bytes", 80}, {"about", {{"argument", "A"}}}}}));
}

TEST_F(CallReporterTest, ALongCallIsToldOfHoweverSoonItFollowsTheLeaseBefore) {
  for (std::int64_t lease = 1; lease <= 2; ++lease) {
    reporter_.begin_lease(lease);
    reporter_.begin({"call", "solve"}, client_);
    reporter_.enter(CallState::computing);
    if (lease == 2) break;
    // The reporter's thread shall wait meanwhile; if it does not, this shows nothing.
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    reporter_.end(CallState::done);
    reporter_.end_lease();
  }
  json told = receive_frame(front_end_);
  while (told.at("lease") == 1) told = receive_frame(front_end_);
  EXPECT_EQ(told.at("lease"), 2);
  ASSERT_EQ(told.at("calls").size(), 1U);
  EXPECT_EQ(told["calls"][0].at("state"), "computing");
  reporter_.end(CallState::done);
}

TEST_F(CallReporterTest, ACallIsToldOfWhileItsMessageIsStillToCome) {
  reporter_.begin_lease(1);
  reporter_.begin({"call"}, client_);
  json told = receive_frame(front_end_);
  EXPECT_EQ(told.at("calls").at(0).at("state"), "receiving");
  EXPECT_EQ(told["calls"][0].at("routine"), "");
  reporter_.learn({"call", "solve"});
  reporter_.end(CallState::done);
  reporter_.end_lease();
  while (told["calls"][0].at("state") != "done") told = receive_frame(front_end_);
  EXPECT_EQ(told["calls"][0].at("routine"), "solve");
}

TEST_F(CallReporterTest, TheBytesOfALeaseOnlyGrowAndAWaitForTheClientIsTold) {
  auto [far, near] = connected();
  reporter_.begin_lease(1);
  for (int call = 1; call <= 2; ++call) {
    reporter_.begin({"call", "solve"}, near);
    far.send("0123456789", 10);
    std::array<char, 10> received{};
    near.receive(received.data(), 4);
    reporter_.learn({"call", "solve"});
    near.receive(received.data(), 6);
    if (call == 1) reporter_.end(CallState::done);
  }
  std::thread receiver([&, &client = near] {
    char last = 0;
    client.receive(&last, 1);
  });
  json told = receive_frame(front_end_);
  while (!told.at("waits")) told = receive_frame(front_end_);
  EXPECT_EQ(told.at("moved"), 20);
  far.send("x", 1);
  receiver.join();
  reporter_.end(CallState::done);
  reporter_.end_lease();
  while (told.at("ended") != 2) told = receive_frame(front_end_);
  EXPECT_EQ(told.at("moved"), 21);
  EXPECT_FALSE(told.at("waits"));
}

TEST_F(CallReporterTest, WhatIsFreedBeforeAnybodyWasToldIsNotKept) {
  reporter_.begin_lease(1);
  // Before a call begins: afterwards the front end may be told at any moment.
  reporter_.tell_kept({"a", false, 80, {}});
  reporter_.tell_freed("a");
  reporter_.tell_kept({"a", false, 8, {}});
  reporter_.begin({"keep"}, client_);
  reporter_.end(CallState::done);
  reporter_.end_lease();
  const json told = receive_frame(front_end_);
  ASSERT_EQ(told.at("kept").size(), 1U);
  EXPECT_EQ(told["kept"][0].at("bytes"), 8);
  EXPECT_EQ(told.at("freed"), json({"a"}));
}

}  // namespace
}  // namespace tasuki::rpc
