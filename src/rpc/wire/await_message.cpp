#include "rpc/wire/await_message.hpp"

#include <poll.h>

#include "rpc/wire/short_spin.hpp"
#include "rpc/wire/vanished_host.hpp"

namespace tasuki::rpc {

void await_message(const Socket& socket) {
  if (socket.has_ahead()) return;
  pollfd watched{socket.descriptor(), POLLIN | POLLRDHUP, 0};
  if (short_spin([&] { return poll(&watched, 1, 0) != 0; })) return;
  while (poll(&watched, 1, vanished_host_look_interval_ms) <= 0) socket.check_host("receive");
}

}  // namespace tasuki::rpc
