#include "rpc/links/callback_arrays.hpp"

#include <span>
#include <tasuki/detail/layout/run_cursor.hpp>

#include "rpc/wire/block_sender.hpp"
#include "rpc/wire/xdr.hpp"

namespace tasuki::rpc {

CallbackArrays::CallbackArrays(const Callback& callback, const Integers& integers)
    : callback_(callback), layouts_(layout_of(callback, integers)) {
  for (const layout::ArrayLayout& one : layouts_) {
    memory_.emplace_back(static_cast<std::size_t>(one.whole_bytes()) + 1);
    pointers_.push_back(memory_.back().data());
  }
}

CallbackArrays::CallbackArrays(const Callback& callback, const Integers& integers,
                               void* const* pointers)
    : callback_(callback), layouts_(layout_of(callback, integers)) {
  pointers_.assign(pointers, pointers + layouts_.size());
}

/// Calls `use` with the number and the bytes of each piece that travels, in order.
template <class Use>
void CallbackArrays::for_each_piece(Wanted is_wanted, Use use) const {
  for (std::size_t i = 0; i < layouts_.size(); ++i) {
    const Parameter& parameter = callback_.parameters[i];
    if (!(parameter.*is_wanted)()) continue;
    const layout::ArrayLayout& one = layouts_[i];
    auto* const memory = static_cast<std::byte*>(pointers_[i]);
    layout::RunCursor cursor(one, 0, layout::contiguous_view(one, one.order()));
    while (const auto run = cursor.next()) {
      use(parameter.number,
          std::span(memory + run->array_offset_bytes, static_cast<std::size_t>(run->bytes)));
    }
  }
}

std::int64_t CallbackArrays::wire_bytes(WireFormat wire, Wanted is_wanted) const {
  std::int64_t bytes = 0;
  for (std::size_t i = 0; i < layouts_.size(); ++i) {
    const Parameter& parameter = callback_.parameters[i];
    if (!(parameter.*is_wanted)()) continue;
    const std::size_t number_bytes =
        wire == WireFormat::xdr ? xdr_bytes_of(parameter.number) : bytes_of(parameter.number);
    bytes += layouts_[i].selected_count(0) * static_cast<std::int64_t>(number_bytes);
  }
  return bytes;
}

void CallbackArrays::send(Socket& socket, WireFormat wire, Wanted is_wanted) const {
  if (wire == WireFormat::xdr) {
    XdrSender sender(socket);
    for_each_piece(is_wanted, [&](Number number, std::span<const std::byte> piece) {
      sender.add(number, piece);
    });
    sender.flush();
  } else {
    BlockSender sender(socket);
    for_each_piece(is_wanted, [&](Number, std::span<const std::byte> piece) { sender.add(piece); });
    sender.flush();
  }
}

void CallbackArrays::receive(Socket& socket, WireFormat wire, Wanted is_wanted) {
  XdrReceiver as_xdr(socket);
  for_each_piece(is_wanted, [&](Number number, std::span<std::byte> piece) {
    if (wire == WireFormat::xdr) {
      as_xdr.receive(number, piece);
    } else {
      socket.receive(piece.data(), piece.size());
    }
  });
}

}  // namespace tasuki::rpc
