#include "rpc/rank/array_transfer.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <tasuki/detail/layout/array_view.hpp>
#include <tasuki/detail/layout/run_cursor.hpp>
#include <tasuki/error.hpp>
#include <utility>
#include <variant>

#include "rpc/wire/block_receiver.hpp"
#include "rpc/wire/frame.hpp"
#include "rpc/wire/short_run.hpp"
#include "rpc/wire/xdr.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

std::size_t wire_bytes_of(const ArrayBlock& block, WireFormat wire) {
  const Number number = block.parameter.number;
  const std::size_t number_bytes =
      wire == WireFormat::xdr ? xdr_bytes_of(number) : bytes_of(number);
  return static_cast<std::size_t>(block.layout.selected_count(block.rank)) * number_bytes;
}

/// Calls `use` for each piece of the block that travels, in order.
template <class Use>
void for_each_piece(const ArrayBlock& block, Use use) {
  if (block.layout.selects_all()) return use(block.bytes);
  const layout::ArrayView view = layout::contiguous_view(block.layout, block.layout.order());
  layout::RunCursor cursor(block.layout, block.rank, view);
  while (const auto run = cursor.next()) {
    use(block.bytes.subspan(static_cast<std::size_t>(run->block_offset_bytes),
                            static_cast<std::size_t>(run->bytes)));
  }
}

/// Does each of several ranks get all of it?
bool is_copied(const layout::ArrayLayout& layout) {
  return layout.ranks() > 1 && std::holds_alternative<layout::Replicated>(layout.placement());
}

}  // namespace

ArrayTransfer::ArrayTransfer(const ClientLink& client, const json& message)
    : client_(client), wire_(wire_format_in(message)) {
  if (!message.contains("memory")) return;
  in_memory_ = field_of<json>(message, "memory");
  if (!client_.memory || wire_ != WireFormat::native) {
    throw error("receive arrays", "the client's memory cannot be read here",
                "let server and client use versions of Tasuki that know each other");
  }
}

bool ArrayTransfer::is_in_memory(const Parameter& parameter) const {
  return in_memory_.contains(parameter.name);
}

void ArrayTransfer::receive(const ArrayBlock& block) {
  receive_block(block);
  if (!is_copied(block.layout)) return;
  client_.copies.begin_array();
  for_each_piece(block, [&](std::span<const std::byte> piece) { client_.copies.add(piece); });
  client_.copies.end_array();
}

void ArrayTransfer::receive_block(const ArrayBlock& block) {
  if (is_in_memory(block.parameter)) {
    read(block);
  } else if (wire_ == WireFormat::xdr) {
    XdrReceiver receiver(client_.socket);
    for_each_piece(block, [&](std::span<std::byte> piece) {
      receiver.receive(block.parameter.number, piece);
    });
  } else if (!block.layout.selects_all()) {
    receive_selected(client_.socket, block.layout, block.rank, block.bytes.data());
  } else {
    client_.socket.receive(block.bytes.data(), block.bytes.size());
  }
}

void ArrayTransfer::read(const ArrayBlock& block) {
  const json& place = in_memory_.at(block.parameter.name);
  const auto address = field_of<std::uint64_t>(place, "address");
  const layout::ArrayView view{field_of<std::int64_t>(place, "first_offset_bytes"),
                               field_of<std::vector<std::int64_t>>(place, "stride_bytes")};
  // What the client has said may be nonsense; the system refuses what is not its memory.
  layout::check(view, block.layout, std::numeric_limits<std::int64_t>::max());
  layout::RunCursor cursor(block.layout, block.rank, view);
  MemoryReader reader(*client_.memory);
  while (const auto run = cursor.next()) {
    reader.add(address + static_cast<std::uint64_t>(run->array_offset_bytes),
               block.bytes.data() + run->block_offset_bytes, static_cast<std::size_t>(run->bytes));
  }
  reader.flush();
  client_.reporter.add_read(static_cast<std::int64_t>(block.bytes.size()));
}

void ArrayTransfer::discard(const ArrayBlock& block) {
  if (is_in_memory(block.parameter)) return;
  std::size_t bytes = wire_bytes_of(block, wire_);
  std::vector<std::byte> buffer(std::min<std::size_t>(bytes, run_buffer_bytes));
  while (bytes > 0) {
    const std::size_t part = std::min(bytes, buffer.size());
    client_.socket.receive(buffer.data(), part);
    bytes -= part;
  }
}

void ArrayTransfer::send_results(json results, const std::vector<ArrayBlock>& blocks,
                                 const CallFiles& files) {
  for (const ArrayBlock& one : blocks) {
    if (!is_in_memory(one.parameter)) continue;
    results["memory"][one.parameter.name] = reinterpret_cast<std::uintptr_t>(one.bytes.data());
  }
  const std::vector<std::uint8_t> head = encode_frame(results);
  client_.sender.add(std::as_bytes(std::span(head)));
  if (wire_ == WireFormat::native) {
    for (const ArrayBlock& one : blocks) {
      if (is_in_memory(one.parameter)) continue;
      if (one.layout.selects_all()) {
        client_.sender.add(one.bytes);
      } else {
        client_.sender.add_selected(one.layout, one.rank, one.bytes.data());
      }
    }
  }
  client_.sender.flush();
  if (wire_ == WireFormat::xdr) send_as_xdr(blocks);
  if (results.contains("files")) files.send(client_.socket, results["files"]);
  // Until the client says that it has read them, the blocks must stay as they are.
  if (results.contains("memory")) receive_frame(client_.socket);
}

void ArrayTransfer::send_as_xdr(const std::vector<ArrayBlock>& blocks) {
  XdrSender sender(client_.socket);
  for (const ArrayBlock& one : blocks) {
    for_each_piece(
        one, [&](std::span<const std::byte> piece) { sender.add(one.parameter.number, piece); });
  }
  sender.flush();
}

}  // namespace tasuki::rpc
