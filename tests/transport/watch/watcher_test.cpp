#include "transport/watch/watcher.hpp"

#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <thread>

namespace tasuki::transport::watch {
namespace {

/// Lets the kernel refuse sockets of IPv6 to this thread, as one does that was started without.
/// Returns: does it?
bool refuse_version_6() {
  constexpr std::uint16_t load = BPF_LD | BPF_W | BPF_ABS;
  constexpr std::uint16_t jump_if_equal = BPF_JMP | BPF_JEQ | BPF_K;
  constexpr std::uint16_t end = BPF_RET | BPF_K;
  std::array<sock_filter, 6> filter{{
      {load, 0, 0, offsetof(seccomp_data, nr)},
      {jump_if_equal, 0, 3, SYS_socket},
      {load, 0, 0, offsetof(seccomp_data, args)},
      {jump_if_equal, 0, 1, AF_INET6},
      {end, 0, 0, SECCOMP_RET_ERRNO | EAFNOSUPPORT},
      {end, 0, 0, SECCOMP_RET_ALLOW},
  }};
  const sock_fprog program{filter.size(), filter.data()};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/// The watcher of node 0, whose rank does not come. Node 1 is the test, which has IPv4 only.
class WatcherTest : public ::testing::Test {
 protected:
  WatcherTest() : other_(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address = local(0);
    socklen_t length = sizeof address;
    const timeval patience{20, 0};
    EXPECT_EQ(::bind(other_, reinterpret_cast<sockaddr*>(&address), length), 0);
    EXPECT_EQ(::getsockname(other_, reinterpret_cast<sockaddr*>(&address), &length), 0);
    EXPECT_EQ(::setsockopt(other_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience), 0);
    plan_.nodes = {new_card(), NodeCard{}};
    NodeCard& card = plan_.nodes[1];
    std::strcpy(card.host.data(), "other");
    card.port = address.sin_port;
    card.addresses_count = 1;
    card.addresses[0].s6_addr[10] = card.addresses[0].s6_addr[11] = 0xff;
    std::memcpy(card.addresses[0].s6_addr + 12, &address.sin_addr, sizeof address.sin_addr);
    plan_.node_of_ranks = {0, 1};
    plan_.time_limit_ns = 1'000'000'000;
  }
  ~WatcherTest() override {
    ::close(other_);
    close_sockets(plan_.sockets);
  }

  static sockaddr_in local(in_port_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = port;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
  }

  void start() {
    plan_.sockets = open_sockets(plan_.nodes[0], 1);
    ASSERT_EQ(start_watcher(plan_), 0);
  }

  /// Gets a heartbeat and gives one.
  void answer() {
    Datagram datagram;
    ASSERT_GT(::recv(other_, &datagram, sizeof datagram, 0), 0) << std::strerror(errno);
    EXPECT_EQ(datagram.key, plan_.nodes[0].key);
    datagram.from = 1;
    datagram.to = 0;
    const sockaddr_in address = local(plan_.nodes[0].port);
    ASSERT_GT(::sendto(other_, &datagram, datagram.bytes(), 0,
                       reinterpret_cast<const sockaddr*>(&address), sizeof address),
              0);
  }

  std::string verdict() const {
    const std::size_t bytes = sizeof(VanishedHosts);
    void* const mapped = ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, plan_.sockets.memory, 0);
    if (mapped == MAP_FAILED) return std::strerror(errno);
    const auto& told = *static_cast<const VanishedHosts*>(mapped);
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (told.is_written == 0 && std::chrono::steady_clock::now() < give_up) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    std::string text(told.what_happened());
    ::munmap(mapped, bytes);
    return text;
  }

  int other_;
  WatchPlan plan_;
};

constexpr const char* silence =
    "host other with rank 1 has vanished: there has been no sign of life from it for 0.9 s";

TEST_F(WatcherTest, a_host_that_falls_silent_has_vanished) {
  start();
  answer();
  EXPECT_EQ(verdict(), silence);
}

TEST_F(WatcherTest, a_kernel_without_version_6_of_the_protocol_watches_too) {
  bool is_refused = false;
  std::thread([&] {
    is_refused = refuse_version_6();
    if (is_refused) start();
  }).join();
  if (!is_refused) GTEST_SKIP() << "no filters of system calls here";
  ASSERT_EQ(plan_.sockets.network.family, AF_INET);
  answer();
  EXPECT_EQ(verdict(), silence);
}

}  // namespace
}  // namespace tasuki::transport::watch
