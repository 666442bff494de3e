#include "rpc/links/block_transfer.hpp"

#include <cstddef>
#include <tasuki/detail/layout/run_cursor.hpp>

#include "rpc/wire/block_receiver.hpp"
#include "rpc/wire/byte_order.hpp"
#include "rpc/wire/xdr.hpp"

namespace tasuki::rpc {
namespace {

std::span<std::byte> bytes_of(const PlacedArray& placed, const layout::ByteRun& run) {
  return {placed.array.memory + run.array_offset_bytes, static_cast<std::size_t>(run.bytes)};
}

/// Calls `take` with the numbers of each run of the rank's block, in this machine's byte order.
template <class Take>
void each_run(const PlacedArray& placed, int rank, Take take) {
  ByteSwapper swapper;
  layout::RunCursor cursor(placed.layout, rank, placed.array.view);
  while (const auto run = cursor.next()) {
    if (placed.array.is_byte_swapped) {
      swapper.each_piece(placed.parameter.number, bytes_of(placed, *run), take);
    } else {
      take(bytes_of(placed, *run));
    }
  }
}

void send_as_xdr(Socket& socket, int rank, std::span<const PlacedArray> arrays) {
  XdrSender sender(socket);
  for (const PlacedArray& one : arrays) {
    each_run(one, rank, [&](auto numbers) { sender.add(one.parameter.number, numbers); });
  }
  sender.flush();
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
        each_run(one, rank, [&](auto numbers) { sender.add_copy(numbers); });
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
    XdrReceiver receiver(socket);
    layout::RunCursor cursor(placed.layout, rank, placed.array.view);
    while (const auto run = cursor.next()) {
      receiver.receive(placed.parameter.number, bytes_of(placed, *run));
    }
  }
  if (placed.array.is_byte_swapped) swap_runs(placed, rank);
}

}  // namespace tasuki::rpc
