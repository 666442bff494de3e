#include "rpc/wire/socket.hpp"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <array>
#include <atomic>
#include <chrono>
#include <string>
#include <tasuki/error.hpp>
#include <thread>
#include <utility>
#include <vector>

#include "rpc/wire/encrypted.hpp"
#include "rpc/wire/frame.hpp"
#include "rpc/wire/happened.hpp"
#include "rpc/wire/transfers.hpp"

namespace tasuki::rpc {
namespace {

TEST(SocketTest, WhatWasReceivedAheadComesFirst) {
  auto [from, to] = connected();
  std::vector<std::byte> sent(20'000);
  for (std::size_t i = 0; i < sent.size(); ++i) sent[i] = static_cast<std::byte>(i % 251);
  std::thread sender([&] { from.send(sent.data(), sent.size()); });
  std::vector<std::byte> received(sent.size());
  // Short, long, in pieces, and the rest.
  to.receive(received.data(), 3);
  to.receive(received.data() + 3, 100);
  std::array<iovec, 3> pieces = {
      {{received.data() + 103, 10}, {received.data() + 113, 0}, {received.data() + 113, 8000}}};
  to.receive(pieces);
  to.receive(received.data() + 8113, 4095);
  to.receive(received.data() + 12208, received.size() - 12208);
  sender.join();
  EXPECT_EQ(received, sent);
  EXPECT_FALSE(to.has_ahead());
}

TEST(SocketTest, MessagesThatCameTogetherAreReadOneByOne) {
  auto [from, to] = connected();
  for (int i = 0; i < 3; ++i) send_frame(from, {{"number", i}});
  for (int i = 0; i < 3; ++i) EXPECT_EQ(field_of<int>(receive_frame(to), "number"), i);
  EXPECT_FALSE(to.has_ahead());
}

TEST(SocketTest, TheFirstByteIsReadTwice) {
  auto [from, to] = connected();
  from.send("GET", 3);
  EXPECT_EQ(to.first_byte(), std::byte{'G'});
  EXPECT_EQ(to.first_byte(), std::byte{'G'});
  std::array<char, 3> received{};
  to.receive(received.data(), received.size());
  EXPECT_EQ(received, (std::array<char, 3>{'G', 'E', 'T'}));
  shutdown(from.descriptor(), SHUT_WR);
  EXPECT_THROW(to.first_byte(), error);
}

TEST(SocketTest, WhatWasReceivedAheadMovesWithTheSocket) {
  auto [from, to] = connected();
  send_frame(from, {{"number", 1}});
  send_frame(from, {{"number", 2}});
  EXPECT_EQ(field_of<int>(receive_frame(to), "number"), 1);
  EXPECT_TRUE(to.has_ahead());
  Socket moved = std::move(to);
  EXPECT_EQ(field_of<int>(receive_frame(moved), "number"), 2);
  Socket assigned(-1, "nobody");
  assigned = std::move(moved);
  send_frame(from, {{"number", 3}});
  EXPECT_EQ(field_of<int>(receive_frame(assigned), "number"), 3);
}

/// The algorithm by which a connection avoids to congest the network.
std::string congestion_control_of(const Socket& socket) {
  std::array<char, 16> name{};
  socklen_t bytes = name.size();
  getsockopt(socket.descriptor(), IPPROTO_TCP, TCP_CONGESTION, name.data(), &bytes);
  return name.data();
}

/// Sends a byte each 100 ms until it is told to end.
void trickle(Socket& to, const std::atomic<bool>& is_over) {
  while (!is_over) {
    to.send("x", 1);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

TEST(SocketTest, AByteNowAndThenIsNotEnough) {
  for (const std::size_t bytes : {std::size_t{1000}, std::size_t{20'000}}) {  // Ahead, and not.
    auto [from, to] = connected();
    std::atomic<bool> is_over = false;
    std::thread sender([&, &peer = from] { trickle(peer, is_over); });
    to.set_timeout(Socket::Seconds(3));
    std::vector<std::byte> received(bytes);
    try {
      to.receive(received.data(), bytes);
      ADD_FAILURE();
    } catch (const error& fault) {
      EXPECT_NE(fault.happened().find("did too little for too long"), std::string::npos)
          << fault.happened();
    }
    is_over = true;
    sender.join();
  }
}

TEST(SocketTest, AByteNowAndThenOfARecordIsNotEnough) {
  auto [from, to] = connected();
  encrypt_both(from, to);
  to.set_timeout(Socket::Seconds(3));
  const std::vector<std::byte> record = record_of(from, to, counted(10'000));
  std::atomic<bool> is_over = false;
  std::thread sender([&, &peer = from] { trickle_record(peer, record, is_over); });
  std::byte received{};
  EXPECT_EQ(happened_in([&, &end = to] { end.receive(&received, 1); }),
            "peer 1 did nothing for too long");
  is_over = true;
  sender.join();
}

TEST(SocketTest, NobodyWaitsForTheRestOfARecordUnlessAsked) {
  auto [from, to] = connected();
  EXPECT_FALSE(to.has_come());
  encrypt_both(from, to);
  const std::vector<std::byte> record = record_of(from, to, counted(100));
  for (const std::size_t part : {std::size_t{3}, record.size() - 4}) {
    send_raw(from, record.data() + (part == 3 ? 0 : 3), part);
    EXPECT_FALSE(to.has_come());
    EXPECT_FALSE(to.has_ahead());  // Who waits for the descriptor hears of the rest.
  }
  send_raw(from, &record.back(), 1);
  EXPECT_TRUE(to.has_come());
  EXPECT_TRUE(to.has_come());
  std::vector<std::byte> received(100);
  to.receive(received.data(), received.size());
  EXPECT_EQ(received, counted(100));
  shutdown(from.descriptor(), SHUT_WR);
  EXPECT_THROW(to.has_come(), error);
}

TEST(SocketTest, WhoHasPatienceWaits) {
  auto [from, to] = connected();
  to.set_timeout(Socket::Seconds(1));
  std::thread sender([&, &peer = from] {
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    peer.send("x", 1);
  });
  char received = 0;
  {
    const Socket::Patience patience(to);
    to.receive(&received, 1);
  }
  EXPECT_EQ(received, 'x');
  sender.join();
  EXPECT_THROW(to.receive(&received, 1), error);
}

TEST(SocketTest, NothingIsPacedOnOneMachine) {
  Listener listener({"localhost", 0});
  const Socket client = Socket::connect({"localhost", listener.port()}, Socket::Seconds(10));
  const Socket server = listener.accept(Socket::Seconds(10));
  EXPECT_EQ(congestion_control_of(client), "reno");
  EXPECT_EQ(congestion_control_of(server), "reno");
}

/// While it lives, this process can have no more descriptors.
class NoDescriptors {
 public:
  NoDescriptors() {
    getrlimit(RLIMIT_NOFILE, &before_);
    rlimit none = before_;
    none.rlim_cur = 0;  // Of new ones: those that are there stay.
    setrlimit(RLIMIT_NOFILE, &none);
  }
  ~NoDescriptors() { setrlimit(RLIMIT_NOFILE, &before_); }
  NoDescriptors(const NoDescriptors&) = delete;
  NoDescriptors& operator=(const NoDescriptors&) = delete;

 private:
  rlimit before_{};
};

TEST(ListenerTest, WithoutDescriptorsConnectionsWaitAndThatIsReportedOnce) {
  Listener listener({"localhost", 0});
  for (int time = 0; time < 2; ++time) {
    const Socket client = Socket::connect({"localhost", listener.port()}, Socket::Seconds(60));
    testing::internal::CaptureStderr();
    {
      const NoDescriptors none;
      const auto begin = std::chrono::steady_clock::now();
      for (int tries = 0; tries < 10; ++tries) EXPECT_FALSE(listener.accept_now());
      // Who waits for connections does not spin.
      EXPECT_GT(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(50));
    }
    const Socket server = listener.accept(Socket::Seconds(60));
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_NE(said.find("ulimit -n"), std::string::npos) << said;
    EXPECT_EQ(said.find("ulimit -n"), said.rfind("ulimit -n")) << said;
  }
}

TEST(SocketTest, BytesAreCountedBothWays) {
  auto [from, to] = connected();
  std::array<char, 100> data{};
  from.send(data.data(), data.size());
  to.receive(data.data(), data.size());
  to.send(data.data(), 10);
  EXPECT_EQ(from.moved_bytes(), 100);
  EXPECT_EQ(to.moved_bytes(), 110);
}

TEST(SocketTest, APeerThatGoesHasEndedTheConnection) {
  auto [near, far] = connected();
  EXPECT_FALSE(near.has_ended());
  { const Socket gone = std::move(far); }
  EXPECT_TRUE(near.has_ended());
  std::byte byte{};
  EXPECT_THROW(near.receive(&byte, 1), error);
}

TEST(SocketTest, TheRemedyIsThatForHowThePeerHasGone) {
  const auto remedy_at = [](Socket& socket) {
    std::byte byte{};
    try {
      socket.receive(&byte, 1);
    } catch (const error& fault) {
      return fault.happened() + ". " + fault.remedy();
    }
    return std::string();
  };
  auto [near, far] = connected();
  far.send("unread", 6);
  near.send("unread", 6);
  far.first_byte();
  near.set_timeout(Socket::Seconds(1));
  std::array<char, 6> data{};
  near.receive(data.data(), data.size());
  EXPECT_NE(remedy_at(near).find("did nothing for too long. see whether its process is stopped"),
            std::string::npos);
  near.send("unread", 6);
  { const Socket gone = std::move(far); }  // With something unread it resets the connection.
  EXPECT_NE(remedy_at(near).find("reset by peer. see whether it still runs"), std::string::npos);
}

}  // namespace
}  // namespace tasuki::rpc
