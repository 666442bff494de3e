// Moves a rank's blocks of whole arrays by a connection, in either form of numbers.
//
// Used by who has whole arrays: a client, and the front end where it holds the arrays of a call.
// Thread-safety: one thread for each direction of a connection.
#pragma once

#include <span>

#include "rpc/links/exchange.hpp"
#include "rpc/wire/block_sender.hpp"
#include "rpc/wire/socket.hpp"
#include "rpc/wire/wire_format.hpp"

namespace tasuki::rpc {

/// Sends the rank's blocks, but for those that are read from memory, with what the sender has been
/// given before. Returns when all is sent. Requires: `sender` sends by `socket`.
void send_blocks(Socket& socket, BlockSender& sender, WireFormat wire, int rank,
                 std::span<const PlacedArray> arrays);

/// Receives the rank's block into the array. Throws tasuki::error if a number is beyond its type.
void receive_placed(Socket& socket, WireFormat wire, int rank, const PlacedArray& placed);

}  // namespace tasuki::rpc
