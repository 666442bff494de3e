// A frame: what travels as one active message of the ucx transport. Its header is the active
// message's; the header of the layer above follows it in bulk frames.
//
// Values. Thread-safety: none needed.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tasuki::transport::ucx {

enum class FrameKind : std::uint8_t {
  message,
  bulk,    ///< The data of the active message are bulk data.
  credit,  ///< Nothing but the header.
};

struct FrameHeader {
  std::uint32_t source = 0;
  /// Of the messages and bulk frames from the source to this receiver: their order.
  std::uint32_t sequence = 0;
  std::uint16_t frame_credits = 0;  ///< So many more of your frames have been released.
  std::uint16_t bulk_credits = 0;   ///< So many more of your bulk data have been received.
  FrameKind kind = FrameKind::message;
  std::uint8_t unused[3] = {};
};
static_assert(sizeof(FrameHeader) == 16);

inline constexpr std::size_t message_max_bytes = 16368;
inline constexpr std::size_t bulk_header_max_bytes = 1024;
inline constexpr unsigned frame_id = 1;  ///< Of the active message.

}  // namespace tasuki::transport::ucx
