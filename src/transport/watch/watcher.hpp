// The watcher of a host: a process of its own, so that a rank that computes, is stopped or waits in
// a debugger is no host that has vanished.
//
// Made by the first rank of a node, which may have threads by then: all that takes memory or locks
// is done before the process is made. It serves the ranks of its node at a Unix socket, exchanges
// heartbeats with the watchers of other nodes, and ends when its ranks have ended.
// docs/design/vanished-hosts.md says why. Thread-safety: none.
#pragma once

#include <sys/socket.h>
#include <sys/un.h>

#include <cstdint>
#include <tasuki/detail/transport/vanished_hosts.hpp>
#include <vector>

#include "transport/watch/heartbeats.hpp"
#include "transport/watch/network.hpp"
#include "transport/watch/node_card.hpp"

namespace tasuki::transport::watch {

/// Of the process.
inline constexpr const char* watcher_name = "tasuki-watcher";

/// A rank's first word to its watcher, and the last of one that has done its part of the job.
struct Greeting {
  std::int32_t rank = 0;
};
inline constexpr char finished_word = 'F';

/// What the processes of a node are told where they find each other by; opened before the cards are
/// exchanged.
struct Sockets {
  Network network;
  int door = -1;    ///< Where ranks ask.
  int memory = -1;  ///< A file with a VanishedHosts.
};

/// Opens them and sets the card's port. Throws tasuki::error.
Sockets open_sockets(NodeCard& card, int ranks_count);
void close_sockets(const Sockets& sockets) noexcept;

/// The address of a node's Unix socket. Returns: its length.
socklen_t door_address(const NodeCard& card, sockaddr_un& address) noexcept;

struct WatchPlan {
  int own_node = 0;
  std::vector<NodeCard> nodes;     ///< By their first ranks.
  std::vector<int> node_of_ranks;  ///< By rank.
  std::int64_t time_limit_ns = 0;
  Sockets sockets;
};

/// Starts the watcher. It is no child of this process when this returns. Returns: 0, or errno.
int start_watcher(const WatchPlan& plan);

}  // namespace tasuki::transport::watch
