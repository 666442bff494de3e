// A frame: what travels as one MPI message of the mpi transport.
//
// Every frame begins with a FrameHeader, which also carries back the credits that its sender owes
// to its receiver. A bulk frame goes on with an Announcement and the header of the layer above; a
// clearance with the index of the transfer that may start. Values.
#pragma once

#include <cstddef>
#include <cstdint>

#include "transport/mpi/functions.hpp"

namespace tasuki::transport::mpi {

enum class FrameKind : std::uint8_t {
  message,
  bulk,       ///< Announces bulk data.
  clearance,  ///< The data of an announced transfer may be sent.
  credit,     ///< Nothing but the header.
};

struct FrameHeader {
  std::uint16_t frame_credits = 0;  ///< So many more of your messages have been released.
  std::uint16_t bulk_credits = 0;   ///< So many more of your bulk data have been received.
  FrameKind kind = FrameKind::message;
  std::uint8_t unused[3] = {};
};
static_assert(sizeof(FrameHeader) == 8);

struct Announcement {
  std::uint64_t bytes = 0;
  std::uint32_t transfer = 0;  ///< Index in the sender's table.
  std::uint32_t tag_and_flag = 0;

  static constexpr std::uint32_t early_flag = std::uint32_t{1} << 31;
  /// The data have been sent already; else they wait for clearance.
  bool is_early() const noexcept { return (tag_and_flag & early_flag) != 0; }
  int tag() const noexcept { return static_cast<int>(tag_and_flag & ~early_flag); }
};
static_assert(sizeof(Announcement) == 16);

/// Every frame is received into a buffer of this size.
inline constexpr std::size_t frame_most_bytes = 16384;
struct alignas(frame_most_bytes) FrameBuffer {
  std::byte bytes[frame_most_bytes];
};
inline constexpr int frame_tag = 1;
inline constexpr int first_posted_tag = 2;
inline constexpr int first_bulk_tag = first_posted_tag + static_cast<int>(test_any_most);

}  // namespace tasuki::transport::mpi
