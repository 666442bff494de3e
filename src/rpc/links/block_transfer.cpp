#include "rpc/links/block_transfer.hpp"

#include <cstddef>
#include <tasuki/detail/layout/run_cursor.hpp>

#include "rpc/wire/block_receiver.hpp"
#include "rpc/wire/xdr.hpp"

namespace tasuki::rpc {
namespace {

std::span<std::byte> bytes_of(const PlacedArray& placed, const layout::ByteRun& run) {
  return {placed.array.memory + run.array_offset_bytes, static_cast<std::size_t>(run.bytes)};
}

void send_as_xdr(Socket& socket, int rank, std::span<const PlacedArray> arrays) {
  XdrSender sender(socket);
  for (const PlacedArray& one : arrays) {
    layout::RunCursor cursor(one.layout, rank, one.array.view);
    while (const auto run = cursor.next()) sender.add(one.parameter.number, bytes_of(one, *run));
  }
  sender.flush();
}

}  // namespace

void send_blocks(Socket& socket, BlockSender& sender, WireFormat wire, int rank,
                 std::span<const PlacedArray> arrays) {
  if (wire == WireFormat::native) {
    for (const PlacedArray& one : arrays) {
      if (one.is_in_memory) continue;
      sender.add_block(one.layout, rank, one.array.view, one.array.memory);
    }
  }
  sender.flush();
  if (wire == WireFormat::xdr) send_as_xdr(socket, rank, arrays);
}

void receive_placed(Socket& socket, WireFormat wire, int rank, const PlacedArray& placed) {
  if (wire == WireFormat::native) {
    return receive_block(socket, placed.layout, rank, placed.array.view, placed.array.memory);
  }
  XdrReceiver receiver(socket);
  layout::RunCursor cursor(placed.layout, rank, placed.array.view);
  while (const auto run = cursor.next()) {
    receiver.receive(placed.parameter.number, bytes_of(placed, *run));
  }
}

}  // namespace tasuki::rpc
