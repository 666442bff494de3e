// Sends, receives and passes on bytes of files through a small buffer, whatever their number.
//
// Used by clients and ranks for arguments that are files, and by the front end between them.
// Thread-safety: one thread for each direction of a connection.
#pragma once

#include <cstdint>
#include <span>

#include "rpc/wire/socket.hpp"

namespace tasuki::rpc {

/// Sends the first `bytes` of an open file. Throws tasuki::error if it has less, or cannot be read.
void send_file(Socket& socket, int descriptor, std::int64_t bytes);
/// The reverse: the file has these bytes afterwards, and no others. Throws tasuki::error if they
/// cannot be written.
void receive_file(Socket& socket, int descriptor, std::int64_t bytes);
/// Passes on bytes from one connection to others.
void pass_bytes(Socket& from, std::span<Socket* const> to, std::int64_t bytes);

}  // namespace tasuki::rpc
