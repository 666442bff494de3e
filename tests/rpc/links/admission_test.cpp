#include "rpc/links/admission.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <future>
#include <optional>
#include <string>
#include <tasuki/error.hpp>
#include <thread>
#include <vector>

#include "rpc/wire/frame.hpp"

namespace tasuki::rpc {
namespace {

constexpr Socket::Seconds timeout{60};

struct Door {
  Listener listener{{"127.0.0.1", 0}};
  Admission admission{listener, false};
  Admission encrypted{listener, true, {std::chrono::hours(1), timeout}};
  WakeUp wake_up;

  Socket connect(const nlohmann::json& first_message) {
    Socket made = Socket::connect({"127.0.0.1", listener.port()}, timeout);
    send_frame(made, first_message);
    return made;
  }
  auto await(std::span<const std::string> tickets) {
    return admission.await(tickets, wake_up, [] { return false; });
  }
};

TEST(AdmissionTest, EachTicketIsFoundWhateverComesFirst) {
  Door door;
  std::array<std::string, 3> tickets = {"a", "b", "c"};
  const Socket silent = Socket::connect({"127.0.0.1", door.listener.port()}, timeout);
  const std::array<Socket, 4> others = {
      door.connect({{"ticket", "c"}}), door.connect({{"ticket", "x"}}),
      door.connect({{"ticket", "a"}}), door.connect({{"ticket", "b"}})};
  std::array<bool, 3> has_come{};
  for (int i = 0; i < 3; ++i) {
    const auto admitted = door.await(tickets);
    ASSERT_TRUE(admitted);
    EXPECT_FALSE(has_come[admitted->index]);
    has_come[admitted->index] = true;
  }
}

TEST(AdmissionTest, WhoSaysNothingOfATicketIsNotTakenForOneThatIsUsed) {
  Door door;
  const std::array<std::string, 2> tickets = {"", "b"};
  const Socket stranger = door.connect({{"message", "hello"}});
  const Socket right = door.connect({{"ticket", "b"}});
  const auto admitted = door.await(tickets);
  ASSERT_TRUE(admitted);
  EXPECT_EQ(admitted->index, 1U);
}

TEST(AdmissionTest, WhoeverSaysLittleHoldsNobodyUp) {
  Door door;
  const std::array<std::string, 1> tickets = {"a"};
  std::vector<Socket> slow;
  const std::array<std::uint8_t, 5> begin = {0, 0, 0x20, 0, 0x81};
  for (std::size_t bytes = 1; bytes <= begin.size(); ++bytes) {
    for (int i = 0; i < 4; ++i) {
      slow.push_back(Socket::connect({"127.0.0.1", door.listener.port()}, timeout));
      slow.back().send(begin.data(), bytes);
    }
  }
  slow.erase(slow.begin());  // This one has gone.
  const std::array<std::uint8_t, 4> too_long = {0xff, 0, 0, 0};
  slow.back().send(too_long.data(), too_long.size());
  // All of them together would take longer than the client is waited for.
  const Socket right = door.connect({{"ticket", "a"}});
  EXPECT_TRUE(door.await(tickets));
}

TEST(AdmissionTest, AnEmptyMessageIsRefusedAtOnce) {
  Door door;
  const std::array<std::string, 1> tickets = {"a"};
  Socket stranger = Socket::connect({"127.0.0.1", door.listener.port()}, timeout);
  stranger.set_timeout(timeout);
  stranger.send("\0\0\0\0", 4);
  int polls_count = 0;  // One for each time that something is ready.
  const auto is_over = [&] { return stranger.has_ended() || ++polls_count == 100; };
  EXPECT_FALSE(door.admission.await(tickets, door.wake_up, is_over));
  EXPECT_LT(polls_count, 100);
}

TEST(AdmissionTest, TheWaitEndsInTimeThoughThereIsAlwaysSomethingReady) {
  using Clock = std::chrono::steady_clock;
  Door door;
  Admission admission(door.listener, false, {.connection_wait = std::chrono::seconds(1)});
  const std::array<std::string, 1> tickets = {"a"};
  std::atomic<bool> has_ended = false;
  std::thread busy([&] {
    while (!has_ended) door.wake_up.notify();
  });
  const auto late = Clock::now() + std::chrono::seconds(60);
  EXPECT_FALSE(admission.await(tickets, door.wake_up, [&] { return Clock::now() >= late; }));
  EXPECT_LT(Clock::now(), late);
  has_ended = true;
  busy.join();
}

TEST(AdmissionTest, NobodyIsWaitedForOnceItIsOver) {
  Door door;
  const std::array<std::string, 1> tickets = {"a"};
  door.wake_up.notify();
  bool is_over = false;
  EXPECT_FALSE(
      door.admission.await(tickets, door.wake_up, [&] { return std::exchange(is_over, true); }));
}

/// Connects by the ticket, and says it. Returns: nothing if the other end does not know it.
std::optional<Socket> connect_by(const Door& door, const std::string& ticket) {
  try {
    Socket made = Socket::connect({"127.0.0.1", door.listener.port()}, timeout);
    made.encrypt(ticket, timeout);
    send_frame(made, {{"ticket", ticket}});
    return made;
  } catch (const error&) {
    return {};
  }
}

TEST(AdmissionTest, OnlyWhoKnowsATicketIsHeardByEncryptedConnections) {
  Door door;
  std::array<std::string, 2> tickets = {"a", "c"};
  const Socket half_open = Socket::connect({"127.0.0.1", door.listener.port()}, timeout);
  const Socket plain = door.connect({{"ticket", "a"}});
  std::atomic<int> refused_count = 0;
  const auto is_refused = [&](const std::string& ticket) {
    if (connect_by(door, ticket)) return false;
    ++refused_count;
    door.wake_up.notify();
    return true;
  };
  auto wrong = std::async(std::launch::async, [&] { return is_refused("b"); });
  auto right = std::async(std::launch::async, [&] { return connect_by(door, "a"); });
  const auto await_one = [&] {
    return door.encrypted.await(tickets, door.wake_up, [&] { return refused_count == 2; });
  };
  auto admitted = await_one();
  ASSERT_TRUE(admitted);
  EXPECT_TRUE(admitted->socket.is_encrypted());
  std::optional<Socket> client = right.get();
  ASSERT_TRUE(client);
  send_frame(*client, {{"message", "hello"}});
  EXPECT_EQ(receive_frame(admitted->socket)["message"], "hello");
  tickets[admitted->index].clear();  // It is used: from now on it is like a wrong one.
  auto again = std::async(std::launch::async, [&] { return is_refused("a"); });
  EXPECT_FALSE(await_one());  // Until both have been refused.
  EXPECT_TRUE(again.get());
  EXPECT_TRUE(wrong.get());
}

}  // namespace
}  // namespace tasuki::rpc
