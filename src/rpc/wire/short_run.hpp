// Which runs of an array's bytes are copied by way of a buffer when blocks are sent or received.
//
// Used by BlockSender and BlockReceiver. Thread-safety: constants.
#pragma once

#include <cstddef>

namespace tasuki::rpc {

/// A system call costs as much as the copy of some hundred bytes for each of its pieces.
constexpr std::size_t short_run_bytes = 512;
constexpr std::size_t run_buffer_bytes = std::size_t{256} << 10;

}  // namespace tasuki::rpc
