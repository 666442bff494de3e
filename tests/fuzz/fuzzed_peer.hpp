// What a fuzzer has made, as bytes to decode or as all that a peer sends.
//
// Used by the targets of libFuzzer. Thread-safety: one thread.
#pragma once

#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>

#include "rpc/wire/socket.hpp"

namespace tasuki::fuzz {

using Bytes = std::span<const std::uint8_t>;

/// What does not hold ends the process, and so becomes a finding.
inline void require(bool holds) {
  if (!holds) std::abort();
}

/// A connection whose peer has sent the input, and takes what it gets. The peer sends no more.
class FuzzedPeer {
 public:
  explicit FuzzedPeer(Bytes input) {
    int ends[2];
    require(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
    far_ = ends[1];
    const int room_bytes = 1 << 20;
    for (const int end : ends) {
      setsockopt(end, SOL_SOCKET, SO_SNDBUF, &room_bytes, sizeof room_bytes);
    }
    require(::send(far_, input.data(), input.size(), MSG_DONTWAIT) ==
            static_cast<ssize_t>(input.size()));
    shutdown(far_, SHUT_WR);
    socket_ = std::make_shared<rpc::Socket>(ends[0], "the fuzzer");
    socket_->set_timeout(rpc::Socket::Seconds(1));
  }
  ~FuzzedPeer() { close(far_); }
  FuzzedPeer(const FuzzedPeer&) = delete;
  FuzzedPeer& operator=(const FuzzedPeer&) = delete;

  rpc::Socket& socket() { return *socket_; }
  const std::shared_ptr<rpc::Socket>& shared_socket() { return socket_; }

 private:
  int far_ = -1;
  std::shared_ptr<rpc::Socket> socket_;
};

}  // namespace tasuki::fuzz
