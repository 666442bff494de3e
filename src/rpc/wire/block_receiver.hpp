// Receives a rank's block into a whole array, without a copy of the block.
//
// Used by clients for results, and by ranks for parts of arrays. Long runs of bytes go straight
// into the array; short ones, and blocks whose order is not the array's, by way of a small buffer.
// Thread-safety: one thread for each socket.
#pragma once

#include <cstddef>
#include <tasuki/detail/layout/array_layout.hpp>
#include <tasuki/detail/layout/array_view.hpp>

#include "rpc/wire/socket.hpp"

namespace tasuki::rpc {

/// Requires: all elements of the view are in memory behind `array`.
void receive_block(Socket& socket, const layout::ArrayLayout& layout, int rank,
                   const layout::ArrayView& view, std::byte* array);

/// The same into the elements of the rank's block that the layout selects.
void receive_selected(Socket& socket, const layout::ArrayLayout& layout, int rank,
                      std::byte* block);

}  // namespace tasuki::rpc
