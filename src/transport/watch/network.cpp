#include "transport/watch/network.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <tasuki/detail/base/clock.hpp>
#include <tasuki/error.hpp>

#include <cerrno>
#include <cstdint>
#include <cstring>

namespace tasuki::transport::watch {
namespace {

constexpr int farewell_interval_ms = 50;
constexpr int farewells_most_count = 6;

/// The address of a node's watcher for a socket of the family. Returns: its length; 0 if the family
/// does not reach that address.
socklen_t network_address(int family, const in6_addr& host, in_port_t port,
                          sockaddr_storage& address) noexcept {
  address = {};
  if (family == AF_INET6) {
    auto& own = reinterpret_cast<sockaddr_in6&>(address);
    own.sin6_family = AF_INET6;
    own.sin6_port = port;
    own.sin6_addr = host;
    return sizeof own;
  }
  if (!IN6_IS_ADDR_V4MAPPED(&host)) return 0;
  auto& own = reinterpret_cast<sockaddr_in&>(address);
  own.sin_family = AF_INET;
  own.sin_port = port;
  std::memcpy(&own.sin_addr, host.s6_addr + sizeof host - sizeof own.sin_addr, sizeof own.sin_addr);
  return sizeof own;
}

}  // namespace

void fail_to_watch(const char* what) {
  throw error("watching the hosts", fmt::format("{}: {}", what, std::strerror(errno)),
              "mend that, or set TASUKI_PEER_TIMEOUT=0: then hosts are not watched");
}

int above_standard(int descriptor) {
  if (descriptor < 0 || descriptor > STDERR_FILENO) return descriptor;
  const int above = ::fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  ::close(descriptor);
  return above;
}

void open_network(NodeCard& card, Network& network) {
  const auto open = [&](int family) {
    network.family = family;
    network.socket = above_standard(::socket(family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  };
  open(AF_INET6);
  // A kernel that was started without IPv6, as by ipv6.disable=1.
  if (network.socket < 0 && errno == EAFNOSUPPORT) open(AF_INET);
  const bool is_version_6 = network.family == AF_INET6;
  in6_addr any = IN6ADDR_ANY_INIT;
  if (!is_version_6) any.s6_addr[10] = any.s6_addr[11] = 0xff;
  sockaddr_storage own;
  socklen_t length = network_address(network.family, any, 0, own);
  const int off = 0;
  if (network.socket < 0 ||
      (is_version_6 &&
       ::setsockopt(network.socket, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off) != 0) ||
      ::bind(network.socket, reinterpret_cast<sockaddr*>(&own), length) != 0 ||
      ::getsockname(network.socket, reinterpret_cast<sockaddr*>(&own), &length) != 0) {
    fail_to_watch("no UDP socket");
  }
  card.port = is_version_6 ? reinterpret_cast<const sockaddr_in6&>(own).sin6_port
                           : reinterpret_cast<const sockaddr_in&>(own).sin_port;
}

void send_datagram(const Network& network, const NodeCard& to, const Datagram& datagram) noexcept {
  for (std::uint16_t i = 0; i < to.addresses_count; ++i) {
    sockaddr_storage address;
    const socklen_t length = network_address(network.family, to.addresses[i], to.port, address);
    if (length == 0) continue;
    ::sendto(network.socket, &datagram, datagram.bytes(), MSG_NOSIGNAL | MSG_DONTWAIT,
             reinterpret_cast<const sockaddr*>(&address), length);
  }
}

void receive_datagrams(const Network& network, Heartbeats& heartbeats) noexcept {
  Datagram datagram;
  for (;;) {
    const ssize_t bytes =
        ::recv(network.socket, &datagram, sizeof datagram, MSG_DONTWAIT | MSG_TRUNC);
    if (bytes < 0 && errno == EINTR) continue;
    if (bytes < 0) return;
    heartbeats.on_datagram(datagram, static_cast<std::size_t>(bytes), base::now_ns());
  }
}

void take_leave(const Network& network, Heartbeats& heartbeats) noexcept {
  for (int count = 0; count < farewells_most_count && !heartbeats.is_farewell_heard(); ++count) {
    heartbeats.say_farewell();
    pollfd event{network.socket, POLLIN, 0};
    ::poll(&event, 1, farewell_interval_ms);
    receive_datagrams(network, heartbeats);
  }
}

void append_unheard(base::FixedText& text, const NodeCard& own, const NodeCard& other) noexcept {
  text << "host " << own.host.data() << " hears nothing from host " << other.host.data()
       << " by UDP: if that vanishes, nobody tells. Remedy: let UDP pass between the hosts of the "
          "job, or set TASUKI_PEER_TIMEOUT=0";
}

}  // namespace tasuki::transport::watch
