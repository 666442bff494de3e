// How watchers reach each other: a UDP socket, and the addresses on the cards of nodes.
//
// Part of a watcher's process, but for `open_network`. Thread-safety: none. Only `open_network`
// takes memory.
#pragma once

#include <tasuki/detail/base/fixed_text.hpp>

#include "transport/watch/heartbeats.hpp"
#include "transport/watch/node_card.hpp"

namespace tasuki::transport::watch {

struct Network {
  int socket = -1;
  int family = 0;  ///< AF_INET6; AF_INET where the kernel has no IPv6.
};

/// Throws tasuki::error, which names `what` and errno.
[[noreturn]] void fail_to_watch(const char* what);

/// Returns: the descriptor, or one above those of standard input, output and error in its place.
int above_standard(int descriptor);

/// Opens the socket, whose port it sets in the card. Throws tasuki::error; then the socket may be
/// open.
void open_network(NodeCard& card, Network& network);

/// To each address of the card. What is lost, or has no way, is missed by the other end.
void send_datagram(const Network& network, const NodeCard& to, const Datagram& datagram) noexcept;

/// Hands over all that has come.
void receive_datagrams(const Network& network, Heartbeats& heartbeats) noexcept;

/// The neighbours are not to wait for this node. Returns when they know it, or soon after.
void take_leave(const Network& network, Heartbeats& heartbeats) noexcept;

/// That nothing has ever come from another host.
void append_unheard(base::FixedText& text, const NodeCard& own, const NodeCard& other) noexcept;

}  // namespace tasuki::transport::watch
