// Sends a rank's block out of a whole array, and receives one into it, without a copy of the block.
//
// Called by clients; ranks send and receive their blocks as they lie in memory. Long runs of bytes
// go straight from or into the array; short ones by way of a small buffer. Thread-safety: one
// thread for each socket.
#pragma once

#include <cstddef>
#include <tasuki/detail/layout/array_layout.hpp>
#include <tasuki/detail/layout/array_view.hpp>

#include "rpc/wire/socket.hpp"

namespace tasuki::rpc {

/// Requires: all elements of the view are in memory behind `array`.
void send_block(Socket& socket, const layout::ArrayLayout& layout, int rank,
                const layout::ArrayView& view, const std::byte* array);
void receive_block(Socket& socket, const layout::ArrayLayout& layout, int rank,
                   const layout::ArrayView& view, std::byte* array);

}  // namespace tasuki::rpc
