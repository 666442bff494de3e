// What client and front end must agree on before they say anything else.
//
// Thread-safety: constants.
#pragma once

#include <cstddef>

namespace tasuki::rpc {

/// Grows whenever peers of different versions could not understand each other.
constexpr int protocol_version = 1;
/// Who has not said who it is may send no more at once.
constexpr std::size_t first_frame_most_bytes = std::size_t{16} << 10;

}  // namespace tasuki::rpc
