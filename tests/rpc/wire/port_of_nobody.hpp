// A port of this machine at which nobody listens, and which nobody else is given meanwhile.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>

#include "rpc/wire/socket.hpp"

namespace tasuki::rpc {

class PortOfNobody {
 public:
  PortOfNobody() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t bytes = sizeof address;
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    EXPECT_EQ(bind(descriptor_, generic, bytes), 0);
    EXPECT_EQ(getsockname(descriptor_, generic, &bytes), 0);
    endpoint_.port = ntohs(address.sin_port);
  }
  ~PortOfNobody() { close(descriptor_); }
  PortOfNobody(const PortOfNobody&) = delete;
  PortOfNobody& operator=(const PortOfNobody&) = delete;

  const Endpoint& endpoint() const noexcept { return endpoint_; }

 private:
  const int descriptor_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  Endpoint endpoint_ = {"127.0.0.1", 0};
};

}  // namespace tasuki::rpc
