#include "rpc/rank/front_end_link.hpp"

#include <gtest/gtest.h>
#include <poll.h>

#include <chrono>
#include <future>
#include <string>
#include <tasuki/error.hpp>
#include <vector>

#include "rpc/wire/frame.hpp"
#include "rpc/wire/transfers.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

json lease(std::int64_t number) {
  return {{"message", "lease"},      {"lease", number},
          {"ticket", "t"},           {"client", 5},
          {"user", "ann"},           {"gone_clients", {3, 4}},
          {"call_most_bytes", 1000}, {"client_most_s", 7.5}};
}

class FrontEndLinkTest : public testing::Test {
 protected:
  void say(const json& message) { send_frame(front_end_, message); }
  /// What was to be freed before the lease is in `freed_`.
  std::optional<LeaseOrder> next_lease() {
    const auto discard = [this](const DiscardOrder& order) {
      for (const std::string& one : order.names) freed_.push_back(one + ": " + order.happened);
    };
    return link_.next_lease(discard, listener_);
  }
  /// The next answer of a gate.
  std::int64_t held() { return held_.get_future().get(); }

  std::pair<Socket, Socket> ends_ = connected();
  Socket& front_end_ = ends_.first;
  Listener listener_{{"127.0.0.1", 0}};
  FrontEndLink link_{std::move(ends_.second), std::chrono::hours(1)};
  std::vector<std::string> freed_;
  std::promise<std::int64_t> held_;
  CallGate gate_{[this](std::int64_t calls) { held_.set_value(calls); },
                 CallGate::Clock::now() + std::chrono::hours(1)};
};

TEST_F(FrontEndLinkTest, AMessageThatIsTooLongIsNotTakenForAFrontEndThatHasGone) {
  EXPECT_THROW(link_.send({{"long", std::string(frame_most_bytes, 'x')}}), error);
  link_.send({{"message", "short"}});
  EXPECT_EQ(receive_frame(front_end_).at("message"), "short");
  EXPECT_FALSE(link_.has_gone());
}

TEST_F(FrontEndLinkTest, ALeaseIsOrderedAsTheFrontEndSays) {
  json message = lease(7);
  message["call_back"] = "10.0.0.1:99";
  message["kept_quota"] = {{"user", "ann"}, {"most_bytes", 20}};
  say(message);
  const auto order = next_lease();
  ASSERT_TRUE(order);
  EXPECT_EQ(order->number, 7);
  EXPECT_EQ(order->ticket, "t");
  EXPECT_EQ(order->owner.client, 5);
  EXPECT_EQ(order->owner.user, "ann");
  EXPECT_EQ(order->gone_clients, (std::vector<std::int64_t>{3, 4}));
  EXPECT_EQ(order->call_most_bytes, 1000);
  EXPECT_EQ(order->client_most_s, 7.5);
  EXPECT_EQ(order->call_back.value().port, 99);
  EXPECT_EQ(order->kept_quota.value().user, "ann");
  say(lease(8));
  const auto other = next_lease();
  EXPECT_EQ(other.value().number, 8);
  EXPECT_FALSE(other->call_back);
  EXPECT_FALSE(other->kept_quota);
}

TEST_F(FrontEndLinkTest, WhoAsksIsAnsweredWhateverTheRankDoes) {
  say({{"message", "ask"}, {"lease", 7}});
  EXPECT_EQ(receive_frame(front_end_), json({{"message", "here"}, {"lease", 7}}));
}

TEST_F(FrontEndLinkTest, TheRoomForACallIsKeptUntilItIsAskedFor) {
  say(lease(7));
  ASSERT_TRUE(next_lease());
  const auto say_room = [&](std::int64_t of_lease, std::int64_t call, bool is_granted) {
    say({{"message", "room"},
         {"lease", of_lease},
         {"call", call},
         {"is_granted", is_granted},
         {"used_bytes", 10 * call}});
  };
  say_room(6, 1, false);  // Of a lease that is over.
  say_room(7, 2, false);
  say_room(7, 1, true);
  constexpr Socket::Seconds patience{60};
  EXPECT_TRUE(link_.await_room(1, patience).value().is_granted);
  const auto second = link_.await_room(2, patience);
  EXPECT_FALSE(second.value().is_granted);
  EXPECT_EQ(second->used_bytes, 20);
  EXPECT_FALSE(link_.await_room(3, Socket::Seconds(0)));
  front_end_.shut_down();
  EXPECT_FALSE(link_.await_room(3, patience));
}

TEST_F(FrontEndLinkTest, WhatIsToBeFreedIsFreedBeforeTheLease) {
  say({{"message", "discard"}, {"names", {"a", "b"}}, {"happened", "its time is over"}});
  say({{"message", "discard"}, {"names", {"c"}}, {"happened", "ann has freed it"}});
  say(lease(1));
  EXPECT_TRUE(next_lease());
  EXPECT_EQ(freed_, (std::vector<std::string>{"a: its time is over", "b: its time is over",
                                              "c: ann has freed it"}));
}

TEST_F(FrontEndLinkTest, TheGateOfALeaseHearsWhenTheFrontEndWantsTheRanksBack) {
  say(lease(1));
  next_lease();
  link_.attend(1, &gate_);
  EXPECT_TRUE(gate_.begin());
  say({{"message", "hold"}, {"lease", 1}, {"has_client_gone", false}});
  EXPECT_EQ(held(), 1);
  say({{"message", "until"}, {"lease", 1}, {"calls", 1}});
  while (!gate_.is_over()) {
    pollfd one{link_.wake_up().descriptor(), POLLIN, 0};
    ASSERT_EQ(poll(&one, 1, 60'000), 1);
    link_.wake_up().clear();
  }
  link_.attend(1, nullptr);
}

TEST_F(FrontEndLinkTest, AHoldThatComesBeforeTheGateIsForTheGateOfItsLeaseAlone) {
  say(lease(1));
  next_lease();
  say({{"message", "hold"}, {"lease", 1}, {"has_client_gone", true}});
  say({{"message", "hold"}, {"lease", 2}, {"has_client_gone", true}});  // There is none.
  say(lease(2));
  next_lease();
  link_.attend(2, &gate_);
  EXPECT_TRUE(gate_.is_open());
  say({{"message", "hold"}, {"lease", 2}, {"has_client_gone", true}});
  EXPECT_EQ(held(), 0);
  link_.attend(2, nullptr);
}

TEST_F(FrontEndLinkTest, AGateThatComesLaterHearsTheHold) {
  say(lease(1));
  next_lease();
  say({{"message", "hold"}, {"lease", 1}, {"has_client_gone", true}});
  link_.attend(1, &gate_);
  EXPECT_EQ(held(), 0);
  link_.attend(1, nullptr);
}

TEST_F(FrontEndLinkTest, OnceTheFrontEndHasGoneThereAreNoLeases) {
  EXPECT_FALSE(link_.has_gone());
  auto waiting = std::async(std::launch::async, [this] { return next_lease(); });
  front_end_.shut_down();
  EXPECT_FALSE(waiting.get());
  EXPECT_TRUE(link_.has_gone());
  EXPECT_FALSE(next_lease());
  link_.send({{"message", "ended"}});  // Does nothing.
}

TEST_F(FrontEndLinkTest, AMessageThatMakesNoSenseEndsTheConnection) {
  say({{"message", "lease"}, {"lease", "seven"}});
  EXPECT_FALSE(next_lease());
  EXPECT_TRUE(link_.has_gone());
}

}  // namespace
}  // namespace tasuki::rpc
