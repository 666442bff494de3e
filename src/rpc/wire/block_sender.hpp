// Sends bytes and blocks out of whole arrays, without a copy of the blocks and with as few system
// calls as possible.
//
// Used by whoever sends messages with the blocks that follow them. Long runs of bytes go straight
// from the array; short ones, and blocks whose order is not the array's, by way of a small buffer.
// Thread-safety: one thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tasuki/detail/layout/array_layout.hpp>
#include <tasuki/detail/layout/array_view.hpp>
#include <tasuki/detail/layout/run_cursor.hpp>
#include <vector>

#include "rpc/wire/short_run.hpp"
#include "rpc/wire/socket.hpp"

namespace tasuki::rpc {

/// What has been added may be sent at any time until flush() has returned.
///     BlockSender sender(socket);
///     sender.add(frame);
///     sender.add_block(layout, rank, view, array);
///     sender.flush();
class BlockSender {
 public:
  explicit BlockSender(Socket& socket) : socket_(socket) {}

  /// Requires: the bytes stay where they are until flush().
  void add(std::span<const std::byte> bytes);
  /// Bytes that need not stay. Requires: at most run_buffer_bytes of them.
  void add_copy(std::span<const std::byte> bytes);
  /// The rank's block of a whole array. Requires: all elements of the view are in memory behind
  /// `array`, and stay there until flush().
  void add_block(const layout::ArrayLayout& layout, int rank, const layout::ArrayView& view,
                 const std::byte* array);
  /// The elements of a rank's block that the layout selects. Requires: the block stays where it is
  /// until flush().
  void add_selected(const layout::ArrayLayout& layout, int rank, const std::byte* block);
  /// Returns when all is sent.
  void flush();

 private:
  static constexpr std::size_t pieces_most = 512;

  void push(std::span<const std::byte> bytes);
  void send_pieces();

  Socket& socket_;
  std::array<iovec, pieces_most> pieces_;
  std::size_t count_ = 0;
  std::vector<std::byte> buffer_;
  std::size_t used_bytes_ = 0;
  bool is_buffer_last_ = false;
};

}  // namespace tasuki::rpc
