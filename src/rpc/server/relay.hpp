// Passes on what a client and a rank send each other, for clients that cannot reach the rank.
//
// Used by the front end, which understands nothing of it. Thread-safety: one thread for each pair.
#pragma once

#include "rpc/links/rank_link.hpp"
#include "rpc/wire/socket.hpp"

namespace tasuki::rpc {

/// Passes bytes on, through a small buffer, until one of both ends its connection. Throws
/// tasuki::error if the rank cannot be reached.
void relay(Socket& client, const RankAddress& address);

}  // namespace tasuki::rpc
