// What carries the messages of the ucx transport on this host: the transports and devices of UCX.
//
// Called by `tasuki info`. UCX itself is asked: it chooses when ranks connect, by what it finds on
// both sides, so this is what it chooses for a host like this one.
//
// Thread-safety: none.
#pragma once

#include <string>
#include <vector>

namespace tasuki::transport {

/// Each way is UCX's transport and its device, as in "tcp/eth0".
struct UcxWays {
  std::string version;                     ///< Of the library that was loaded.
  std::vector<std::string> here;           ///< All that UCX_TLS and UCX_NET_DEVICES leave.
  std::vector<std::string> between_hosts;  ///< To a host like this one; empty: to none.
  std::vector<std::string> within_host;    ///< Where the node's memory is not used.
};

/// Requires: the descriptor of the ucx transport says that it is available.
/// Throws tasuki::error if UCX refuses, as for a device that is not here.
UcxWays find_ucx_ways();

}  // namespace tasuki::transport
