#include "rpc/wire/vanished_host.hpp"

#include <netinet/in.h>
#include <sys/socket.h>

#include <optional>

namespace tasuki::rpc {
namespace {

/// The pause before each repetition is twice the one before, and the first is 200 ms or longer: the
/// eighth comes after 51 s or later.
constexpr int repetitions_most = 8;

/// Returns: nothing if that is no connection over TCP.
std::optional<tcp_info> info_of(int descriptor) {
  tcp_info connection{};
  socklen_t bytes = sizeof connection;
  if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &connection, &bytes) != 0) return {};
  return connection;
}

}  // namespace

void ask_silent_host(int descriptor) {
  const int on = 1, silent_s = 30, interval_s = 10, questions_most = 3;
  setsockopt(descriptor, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
  setsockopt(descriptor, IPPROTO_TCP, TCP_KEEPIDLE, &silent_s, sizeof silent_s);
  setsockopt(descriptor, IPPROTO_TCP, TCP_KEEPINTVL, &interval_s, sizeof interval_s);
  setsockopt(descriptor, IPPROTO_TCP, TCP_KEEPCNT, &questions_most, sizeof questions_most);
}

bool has_vanished_host(const tcp_info& connection) noexcept {
  // Probes are questions whether a peer that took nothing will take something now.
  return connection.tcpi_retransmits >= repetitions_most ||
         connection.tcpi_probes >= repetitions_most;
}

bool has_vanished_host(int descriptor) {
  const std::optional<tcp_info> connection = info_of(descriptor);
  return connection && has_vanished_host(*connection);
}

bool is_silent_host(const tcp_info& connection) noexcept {
  return connection.tcpi_unacked > 0 && connection.tcpi_retransmits > 0;
}

bool is_silent_host(int descriptor) {
  const std::optional<tcp_info> connection = info_of(descriptor);
  return connection && is_silent_host(*connection);
}

}  // namespace tasuki::rpc
