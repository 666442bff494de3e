// TCP connections that this process has begun and that nobody answers, as where a firewall drops
// what comes.
//
// Used for the ways of an endpoint. Reads what the kernel tells of the process's own sockets.
// Thread-safety: none.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace tasuki::transport::ucx {

class SilentConnects {
 public:
  /// Where a connection is to lead.
  struct Goal {
    std::array<std::byte, 16> address{};  ///< In the order of the network.
    std::size_t address_bytes = 0;        ///< 4: of IPv4, 16: of IPv6.
    std::array<std::byte, 2> port{};      ///< In the order of the network.

    std::span<const std::byte> used_address() const noexcept {
      return {address.data(), address_bytes};
    }
    /// As in "192.0.2.7 port 4321".
    std::string text() const;
  };

  /// Returns: of the connections that have been without an answer at all calls for `least_ns` or
  /// longer, where they are to lead. Is to be called often in that time.
  std::vector<Goal> find(std::int64_t now_ns, std::int64_t least_ns);

 private:
  std::map<ino_t, std::int64_t> since_ns_;  ///< By socket: when it was first found silent.
};

}  // namespace tasuki::transport::ucx
