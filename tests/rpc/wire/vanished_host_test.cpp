#include "rpc/wire/vanished_host.hpp"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "rpc/wire/socket.hpp"

namespace tasuki::rpc {
namespace {

/// A cable cannot be pulled here (tests/python/rpc/test_hosts.py can, in a minute): so this asks
/// the system whether it will look.
TEST(VanishedHostTest, ASilentPeerIsAskedWhetherItIsThere) {
  Listener listener({"127.0.0.1", 0});
  const Socket near = Socket::connect({"127.0.0.1", listener.port()}, Socket::Seconds(60));
  const Socket far = listener.accept(Socket::Seconds(60));
  for (const Socket* const one : {&near, &far}) {
    const auto option = [one](int level, int name) {
      int value = 0;
      socklen_t bytes = sizeof value;
      getsockopt(one->descriptor(), level, name, &value, &bytes);
      return value;
    };
    EXPECT_EQ(option(SOL_SOCKET, SO_KEEPALIVE), 1);
    const int asking_s = option(IPPROTO_TCP, TCP_KEEPINTVL) * option(IPPROTO_TCP, TCP_KEEPCNT);
    EXPECT_LE(option(IPPROTO_TCP, TCP_KEEPIDLE) + asking_s, 60);
    EXPECT_FALSE(has_vanished_host(one->descriptor()));
  }
}

TEST(VanishedHostTest, AWaitWithoutALimitEndsToLook) {
  Listener listener({"127.0.0.1", 0});
  const Socket near = Socket::connect({"127.0.0.1", listener.port()}, Socket::Seconds(60));
  const Socket far = listener.accept(Socket::Seconds(60));
  for (const Socket* const one : {&near, &far}) {
    for (const int direction : {SO_RCVTIMEO, SO_SNDTIMEO}) {
      timeval limit{};
      socklen_t bytes = sizeof limit;
      getsockopt(one->descriptor(), SOL_SOCKET, direction, &limit, &bytes);
      EXPECT_EQ(limit.tv_sec, vanished_host_look_interval.count());
    }
  }
}

TEST(VanishedHostTest, AHostThatAnswersNoRepetitionHasVanished) {
  tcp_info connection{};
  EXPECT_FALSE(has_vanished_host(connection));
  connection.tcpi_unacked = 10;
  connection.tcpi_total_retrans = 1000;  // Those before the last answer.
  EXPECT_FALSE(has_vanished_host(connection));
  connection.tcpi_retransmits = 7;
  EXPECT_FALSE(has_vanished_host(connection));
  connection.tcpi_retransmits = 8;
  EXPECT_TRUE(has_vanished_host(connection));
}

TEST(VanishedHostTest, AHostThatAnswersNoProbeHasVanished) {
  tcp_info connection{};
  connection.tcpi_probes = 3;
  EXPECT_FALSE(has_vanished_host(connection));
  connection.tcpi_probes = 8;
  EXPECT_TRUE(has_vanished_host(connection));
}

TEST(VanishedHostTest, AHostIsSilentOnceSomethingWasRepeatedToIt) {
  tcp_info connection{};
  EXPECT_FALSE(is_silent_host(connection));
  connection.tcpi_unacked = 1;  // Just sent.
  EXPECT_FALSE(is_silent_host(connection));
  connection.tcpi_retransmits = 1;
  EXPECT_TRUE(is_silent_host(connection));
}

TEST(VanishedHostTest, OnlyConnectionsOverTcpHaveHostsThatVanish) {
  int ends[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
  EXPECT_FALSE(is_silent_host(ends[0]));
  EXPECT_FALSE(has_vanished_host(ends[0]));
  close(ends[0]);
  close(ends[1]);
}

}  // namespace
}  // namespace tasuki::rpc
