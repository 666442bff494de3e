// Waits for a peer that takes its time, beyond the time limit of its connection.
//
// Used for answers of client functions, which may run for as long as they like. Thread-safety: as
// of the socket.
#pragma once

#include "rpc/wire/socket.hpp"

namespace tasuki::rpc {

/// Returns when there is something to receive, or the connection has ended. Throws tasuki::error if
/// the peer's host has vanished.
void await_message(const Socket& socket);

}  // namespace tasuki::rpc
