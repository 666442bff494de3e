#include "rpc/server/relay.hpp"

#include <poll.h>

#include <array>
#include <tasuki/error.hpp>
#include <vector>

#include "rpc/wire/frame.hpp"
#include "rpc/wire/vanished_host.hpp"

namespace tasuki::rpc {
namespace {

constexpr Socket::Seconds connect_timeout{10};
/// How often a send that waits asks whether the other end has gone.
constexpr Socket::Seconds check_interval{1};
/// For so many times it still waits then: the rank has sent all, and the client is slow.
constexpr int late_checks_most = 60;
constexpr std::size_t buffer_bytes = std::size_t{256} << 10;

/// Says whether a send has waited for too long.
class OtherEnd {
 public:
  explicit OtherEnd(const Socket& socket) : socket_(&socket) {}
  bool operator()() { return socket_->has_ended() && ++late_checks_count_ > late_checks_most; }

 private:
  const Socket* socket_;
  int late_checks_count_ = 0;
};

/// Passes on what has come. Returns: false if the connection has ended.
bool pass_on(Socket& from, Socket& to, std::vector<std::byte>& buffer) {
  try {
    do {
      const std::size_t bytes = from.receive_some(buffer);
      to.send(buffer.data(), bytes);
    } while (from.has_ahead());
    return true;
  } catch (const error&) {
    return false;
  }
}

}  // namespace

void relay(Socket& client, const RankAddress& address) {
  Socket rank = Socket::connect(address.endpoint, connect_timeout);
  if (address.endpoint.is_encrypted) rank.encrypt(address.ticket, connect_timeout);
  send_frame(rank, {{"ticket", address.ticket}});
  client.set_send_timeout(check_interval);
  rank.set_send_timeout(check_interval);
  // A client may wait for another rank before it takes what this one sends: the front end watches
  // whether it holds the ranks up, and ends them.
  const Socket::Patience for_client(client, OtherEnd(rank));
  const Socket::Patience for_rank(rank, OtherEnd(client));
  std::vector<std::byte> buffer(buffer_bytes);
  if (client.has_ahead() && !pass_on(client, rank, buffer)) return;
  while (true) {
    std::array<pollfd, 2> ready = {
        {{client.descriptor(), POLLIN, 0}, {rank.descriptor(), POLLIN, 0}}};
    if (poll(ready.data(), ready.size(), vanished_host_look_interval_ms) <= 0) {
      client.check_host("receive");
      rank.check_host("receive");
      continue;
    }
    if (ready[0].revents != 0 && !pass_on(client, rank, buffer)) return;
    if (ready[1].revents != 0 && !pass_on(rank, client, buffer)) return;
  }
}

}  // namespace tasuki::rpc
