// Waits for a peer that takes its time, beyond the time limit of its connection.
//
// Used for answers of client functions, which may run for as long as they like. Thread-safety: as
// of the socket.
#pragma once

#include "rpc/wire/socket.hpp"

namespace tasuki::rpc {

/// Returns when there is something to receive, or the connection has ended.
void await_message(const Socket& socket) noexcept;

}  // namespace tasuki::rpc
