#include "transport/ucx/silent_connects.hpp"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <string>
#include <vector>

namespace tasuki::transport::ucx {
namespace {

constexpr std::int64_t least_ns = 1000;

/// A listening socket that admits nobody any more: who connects then gets no answer.
class SilentConnectsTest : public testing::Test {
 protected:
  void SetUp() override {
    listening_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    address_.sin_family = AF_INET;
    address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address_;
    ASSERT_EQ(::bind(listening_, as_address(), length), 0);
    ASSERT_EQ(::listen(listening_, 0), 0);
    ASSERT_EQ(::getsockname(listening_, as_address(), &length), 0);
    constexpr int most_count = 8;
    while (sockets_.size() < most_count && !is_last_silent()) connect_one();
    ASSERT_TRUE(is_last_silent()) << "all have been let in";
  }

  void TearDown() override {
    for (const int socket : sockets_) ::close(socket);
    ::close(listening_);
  }

  sockaddr* as_address() { return reinterpret_cast<sockaddr*>(&address_); }

  void connect_one() {
    sockets_.push_back(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    [[maybe_unused]] const int begun = ::connect(sockets_.back(), as_address(), sizeof address_);
  }

  /// Over a loopback an answer comes inside connect().
  bool is_last_silent() const {
    tcp_info info{};
    socklen_t length = sizeof info;
    return !sockets_.empty() &&
           ::getsockopt(sockets_.back(), IPPROTO_TCP, TCP_INFO, &info, &length) == 0 &&
           info.tcpi_state == TCP_SYN_SENT;
  }

  std::string place() const { return "127.0.0.1 port " + std::to_string(ntohs(address_.sin_port)); }

  int listening_ = -1;
  sockaddr_in address_{};
  std::vector<int> sockets_;
  SilentConnects connects_;
};

TEST_F(SilentConnectsTest, one_without_an_answer_is_found_after_the_time) {
  EXPECT_TRUE(connects_.find(0, least_ns).empty());
  EXPECT_TRUE(connects_.find(least_ns - 1, least_ns).empty());
  const auto goals = connects_.find(least_ns, least_ns);
  ASSERT_EQ(goals.size(), 1U) << "the others have been answered";
  EXPECT_EQ(goals[0].text(), place());
  EXPECT_EQ(goals[0].used_address().size(), sizeof(in_addr));
  EXPECT_EQ(std::to_integer<int>(goals[0].used_address()[0]), 127);
}

TEST_F(SilentConnectsTest, each_has_its_own_time) {
  EXPECT_TRUE(connects_.find(0, least_ns).empty());
  connect_one();
  EXPECT_TRUE(connects_.find(1, least_ns).empty());
  EXPECT_EQ(connects_.find(least_ns, least_ns).size(), 1U);
  EXPECT_EQ(connects_.find(least_ns + 1, least_ns).size(), 2U);
}

TEST_F(SilentConnectsTest, one_that_has_ended_is_forgotten) {
  EXPECT_TRUE(connects_.find(0, least_ns).empty());
  ::close(sockets_.back());
  sockets_.pop_back();
  EXPECT_TRUE(connects_.find(least_ns, least_ns).empty());
}

TEST_F(SilentConnectsTest, without_a_descriptor_left_none_is_forgotten) {
  EXPECT_TRUE(connects_.find(0, least_ns).empty());
  rlimit limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &limit), 0);
  const rlimit none{0, limit.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  EXPECT_TRUE(connects_.find(1, least_ns).empty());
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &limit), 0);
  EXPECT_EQ(connects_.find(least_ns, least_ns).size(), 1U);
}

}  // namespace
}  // namespace tasuki::transport::ucx
