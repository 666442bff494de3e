#include "transport/ucx/opening_ways.hpp"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <tasuki/detail/base/clock.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "transport/ucx/worker.hpp"

namespace tasuki::transport::ucx {
namespace {

constexpr std::int64_t limit_ns = 20'000'000;
constexpr std::int64_t ns_per_s = 1'000'000'000;
/// Far less than a connection over TCP may take that nobody answers, which is two minutes.
constexpr std::int64_t at_once_ns = 20 * ns_per_s;

std::uint16_t port_of(int socket) {
  sockaddr_in address{};
  socklen_t length = sizeof address;
  ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &length);
  return address.sin_port;
}

/// Of the sockets on which this process waits for connections, in the order of the network.
std::set<std::uint16_t> listened_ports() {
  std::set<std::uint16_t> ports;
  constexpr int descriptors_most = 256;
  for (int descriptor = 0; descriptor < descriptors_most; ++descriptor) {
    int listens = 0;
    socklen_t length = sizeof listens;
    const int failed = ::getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &length);
    if (failed == 0 && listens != 0) ports.insert(port_of(descriptor));
  }
  return ports;
}

/// A worker, and ways to places that do not answer: sockets whose queue of connections is full.
class OpeningWaysTest : public testing::Test {
 protected:
  void SetUp() override {
    ::setenv("UCX_TLS", "tcp", 1);
    ::unsetenv("UCX_TCP_CONN_NB");
    worker_.emplace(4, "lo");
  }

  void TearDown() override {
    ucp_request_param_t parameters{};
    parameters.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS;
    parameters.flags = UCP_EP_CLOSE_FLAG_FORCE;
    for (const ucp_ep_h way : ways_) {
      worker_->finish(functions().ep_close_nbx(way, &parameters));
    }
    worker_.reset();
    for (const int socket : sockets_) ::close(socket);
    ::unsetenv("UCX_TLS");
  }

  /// Returns: its port, in the order of the network.
  std::uint16_t make_full_queue() {
    const int listening = keep(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    EXPECT_EQ(::bind(listening, generic, sizeof address), 0);
    EXPECT_EQ(::listen(listening, 0), 0);
    address.sin_port = port_of(listening);
    constexpr int tries_most = 8;
    for (int i = 0; i < tries_most; ++i) {
      const int own = keep(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
      [[maybe_unused]] const int begun = ::connect(own, generic, sizeof address);
      tcp_info info{};
      socklen_t length = sizeof info;
      ::getsockopt(own, IPPROTO_TCP, TCP_INFO, &info, &length);
      if (info.tcpi_state == TCP_SYN_SENT) return address.sin_port;
    }
    ADD_FAILURE() << "all have been let in";
    return 0;
  }

  /// That of a worker of UCX, but for the port.
  static std::vector<std::byte> address_with(std::uint16_t port) {
    for (;;) {
      const std::set<std::uint16_t> before = listened_ports();
      const Worker worker(4, "lo");
      std::vector<std::byte> address = worker.address();
      std::set<std::uint16_t> added = listened_ports();
      std::erase_if(added, [&](std::uint16_t own) { return before.contains(own); });
      if (added.size() != 1) return {};
      const auto old = std::as_bytes(std::span(&*added.begin(), 1));
      const auto place = std::ranges::search(address, old);
      if (place.empty()) return {};
      // Other numbers may look the same, by chance.
      if (!std::ranges::search(place.end(), address.end(), old.begin(), old.end()).empty())
        continue;
      std::memcpy(&*place.begin(), &port, sizeof port);
      return address;
    }
  }

  /// `told` is what is followed as the address.
  void open(int rank, const std::vector<std::byte>& address, const std::vector<std::byte>& told) {
    ucp_ep_params_t parameters{};
    parameters.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS |
                            UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE | UCP_EP_PARAM_FIELD_ERR_HANDLER;
    parameters.address = reinterpret_cast<const ucp_address_t*>(address.data());
    parameters.err_mode = UCP_ERR_HANDLING_MODE_PEER;
    parameters.err_handler = {[](void*, ucp_ep_h, ucs_status_t) {}, nullptr};
    ucp_ep_h way = nullptr;
    ASSERT_EQ(functions().ep_create(worker_->get(), &parameters, &way), UCS_OK);
    ways_.push_back(way);
    ASSERT_EQ(opening_.follow(rank, way, told), UCS_OK);
  }

  /// The address, with that of the network, which UCX leaves out of addresses of the loopback.
  static std::vector<std::byte> whole(std::vector<std::byte> address) {
    const std::uint32_t loopback = htonl(INADDR_LOOPBACK);
    const auto bytes = std::as_bytes(std::span(&loopback, 1));
    address.insert(address.end(), bytes.begin(), bytes.end());
    return address;
  }

  /// Returns: who is found to be unreachable, as long as some ways are opening.
  std::optional<OpeningWays::Unreachable> await_unreachable() {
    const std::int64_t give_up_ns = base::now_ns() + at_once_ns;
    while (opening_.any() && base::now_ns() < give_up_ns) {
      worker_->progress();
      if (auto found = opening_.find_unreachable()) return found;
      ::poll(nullptr, 0, 1);
    }
    return std::nullopt;
  }

  int keep(int socket) {
    sockets_.push_back(socket);
    return socket;
  }

  static std::string place(std::uint16_t port) {
    return "127.0.0.1 port " + std::to_string(ntohs(port));
  }

  OpeningWays opening_{limit_ns};
  std::optional<Worker> worker_;
  std::vector<ucp_ep_h> ways_;
  std::vector<int> sockets_;
};

TEST_F(OpeningWaysTest, one_to_a_full_queue_makes_nothing_else_wait) {
  const std::int64_t began_ns = base::now_ns();
  const auto address = address_with(make_full_queue());
  ASSERT_FALSE(address.empty());
  open(1, address, address);
  for (int i = 0; i < 1000; ++i) worker_->progress();
  EXPECT_LT(base::now_ns() - began_ns, at_once_ns);
  EXPECT_TRUE(opening_.any());
}

TEST_F(OpeningWaysTest, the_rank_that_does_not_answer_is_found) {
  const std::uint16_t port = make_full_queue();
  const auto address = address_with(port);
  open(1, address, whole(address));
  open(2, address, whole({}));  // On the same host, but at another port.
  const auto found = await_unreachable();
  ASSERT_TRUE(found);
  EXPECT_EQ(found->rank, 1);
  EXPECT_TRUE(found->is_certain);
  EXPECT_EQ(found->place, place(port));
}

TEST_F(OpeningWaysTest, where_it_may_be_one_of_several_that_is_told) {
  const std::uint16_t port = make_full_queue();
  const auto address = address_with(port);
  open(1, address, whole(address));
  open(2, address, whole(address));
  const auto found = await_unreachable();
  ASSERT_TRUE(found);
  EXPECT_FALSE(found->is_certain);
  EXPECT_EQ(found->place, place(port));
}

}  // namespace
}  // namespace tasuki::transport::ucx
