// What clients, front end and ranks must agree on before they say anything else.
//
// Thread-safety: constants.
#pragma once

#include <chrono>
#include <cstddef>

namespace tasuki::rpc {

/// Grows whenever peers of different versions could not understand each other.
constexpr int protocol_version = 1;
/// Who has not said who it is may send no more at once.
constexpr std::size_t first_frame_most_bytes = std::size_t{16} << 10;
/// Ranks that the front end wants back wait for a first call until they have been leased for so
/// long.
constexpr std::chrono::seconds first_call_wait{5};

}  // namespace tasuki::rpc
