// What a node tells all others when a job of several nodes starts: where its watcher is.
//
// Made by the first rank of each node, read by all watchers. Thread-safety: none.
#pragma once

#include <netinet/in.h>

#include <array>
#include <cstdint>

namespace tasuki::transport::watch {

/// Proves that who sends belongs to the job.
using Key = std::array<std::uint8_t, 16>;

/// As bytes, between machines of one byte order. All addresses are those of IPv6, in which those of
/// IPv4 are mapped.
struct NodeCard {
  static constexpr std::size_t addresses_most_count = 4;

  std::array<char, 48> host;          ///< Its name, cut off where it is longer; ends with 0.
  Key key;                            ///< Of the job, if it is that of the first node.
  std::array<std::uint8_t, 16> door;  ///< Names the socket at which the ranks of the node ask.
  std::uint16_t port;                 ///< In network order; 0: this rank is no first of its node.
  std::uint16_t addresses_count;
  std::array<in6_addr, addresses_most_count> addresses;
};

/// With the name, the addresses, and new random bytes; the port is still 0.
NodeCard new_card();

}  // namespace tasuki::transport::watch
