#include "rpc/wire/await_message.hpp"

#include <poll.h>

#include <cerrno>

#include "rpc/wire/short_spin.hpp"

namespace tasuki::rpc {

void await_message(const Socket& socket) noexcept {
  if (socket.has_ahead()) return;
  pollfd watched{socket.descriptor(), POLLIN | POLLRDHUP, 0};
  if (short_spin([&] { return poll(&watched, 1, 0) != 0; })) return;
  while (poll(&watched, 1, -1) < 0 && errno == EINTR) {
  }
}

}  // namespace tasuki::rpc
