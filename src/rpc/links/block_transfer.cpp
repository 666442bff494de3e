#include "rpc/links/block_transfer.hpp"

#include <cstddef>
#include <tasuki/detail/layout/converted_pieces.hpp>
#include <tasuki/detail/layout/run_cursor.hpp>

#include "rpc/wire/block_receiver.hpp"
#include "rpc/wire/byte_order.hpp"
#include "rpc/wire/xdr.hpp"

namespace tasuki::rpc {
namespace {

std::span<std::byte> bytes_of(const PlacedArray& placed, const layout::ByteRun& run) {
  return {placed.array.memory + run.array_offset_bytes, static_cast<std::size_t>(run.bytes)};
}

/// Calls `take` with the numbers of each piece of the rank's block, in the order of the block and
/// in the caller's byte order.
template <class Take>
void each_piece(const PlacedArray& placed, int rank, Take take) {
  if (auto pieces = layout::ConvertedPieces::find(placed.layout, rank, placed.array.view)) {
    return pieces->pack_each(placed.array.memory, take);
  }
  layout::RunCursor cursor(placed.layout, rank, placed.array.view);
  while (const auto run = cursor.next()) take(std::span<const std::byte>(bytes_of(placed, *run)));
}

/// The same in this machine's byte order.
template <class Take>
void each_native_piece(const PlacedArray& placed, int rank, Take take) {
  if (!placed.array.is_byte_swapped) return each_piece(placed, rank, take);
  ByteSwapper swapper;
  each_piece(placed, rank, [&](std::span<const std::byte> numbers) {
    swapper.each_piece(placed.parameter.number, numbers, take);
  });
}

void send_as_xdr(Socket& socket, int rank, std::span<const PlacedArray> arrays) {
  XdrSender sender(socket);
  for (const PlacedArray& one : arrays) {
    each_native_piece(one, rank, [&](auto numbers) { sender.add(one.parameter.number, numbers); });
  }
  sender.flush();
}

void receive_as_xdr(Socket& socket, int rank, const PlacedArray& placed) {
  XdrReceiver receiver(socket);
  const auto receive = [&](std::span<std::byte> numbers) {
    receiver.receive(placed.parameter.number, numbers);
  };
  if (auto pieces = layout::ConvertedPieces::find(placed.layout, rank, placed.array.view)) {
    return pieces->unpack_each(placed.array.memory, receive);
  }
  layout::RunCursor cursor(placed.layout, rank, placed.array.view);
  while (const auto run = cursor.next()) receive(bytes_of(placed, *run));
}

/// Gives what has been received the byte order that the caller's array has.
void swap_runs(const PlacedArray& placed, int rank) {
  layout::RunCursor cursor(placed.layout, rank, placed.array.view);
  while (const auto run = cursor.next()) {
    swap_byte_order(placed.parameter.number, bytes_of(placed, *run));
  }
}

}  // namespace

void send_blocks(Socket& socket, BlockSender& sender, WireFormat wire, int rank,
                 std::span<const PlacedArray> arrays) {
  if (wire == WireFormat::native) {
    for (const PlacedArray& one : arrays) {
      if (one.is_in_memory) continue;
      if (one.array.is_byte_swapped) {
        each_native_piece(one, rank, [&](auto numbers) { sender.add_copy(numbers); });
      } else {
        sender.add_block(one.layout, rank, one.array.view, one.array.memory);
      }
    }
  }
  sender.flush();
  if (wire == WireFormat::xdr) send_as_xdr(socket, rank, arrays);
}

void receive_placed(Socket& socket, WireFormat wire, int rank, const PlacedArray& placed) {
  if (wire == WireFormat::native) {
    receive_block(socket, placed.layout, rank, placed.array.view, placed.array.memory);
  } else {
    receive_as_xdr(socket, rank, placed);
  }
  if (placed.array.is_byte_swapped) swap_runs(placed, rank);
}

}  // namespace tasuki::rpc
