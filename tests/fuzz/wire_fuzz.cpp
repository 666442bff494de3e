// What a peer may send, decoded under libFuzzer: messages, interfaces with the sizes of calls,
// numbers in XDR, and all that front ends, ranks and clients get. The first byte of an input
// chooses which.
//
// Whatever the bytes are, they are decoded, or refused by a tasuki::error; and what was decoded
// means the same when it is encoded again.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <tasuki/error.hpp>
#include <vector>

#include "fuzz/decoders.hpp"
#include "rpc/interface/call_layout.hpp"
#include "rpc/interface/module.hpp"
#include "rpc/sessions/server_address.hpp"
#include "rpc/wire/frame.hpp"
#include "rpc/wire/xdr.hpp"

namespace {

using nlohmann::json;
using tasuki::fuzz::Bytes;
using tasuki::fuzz::require;

void try_frame(Bytes input) {
  tasuki::rpc::FrameHead head;
  if (input.size() < head.size()) return;
  std::ranges::copy(input.first(head.size()), head.begin());
  const std::size_t bytes = tasuki::rpc::body_bytes(head);
  require(bytes <= tasuki::rpc::frame_most_bytes);
  const json message = tasuki::rpc::decode_body(input.subspan(head.size()));
  const std::vector<std::uint8_t> frame = tasuki::rpc::encode_frame(message);
  const json again = tasuki::rpc::decode_body(Bytes(frame).subspan(head.size()));
  require(json::to_msgpack(again) == json::to_msgpack(message));
}

/// The blocks of all ranks together are the array.
void check_layout(const tasuki::layout::ArrayLayout& layout) {
  const bool is_divided = std::holds_alternative<tasuki::layout::Grid>(layout.placement());
  std::int64_t bytes = 0;
  for (int rank = 0; rank < layout.ranks(); ++rank) {
    require(layout.local_bytes(rank) >= 0);
    bytes += layout.local_bytes(rank);
    require(is_divided || layout.local_bytes(rank) == layout.whole_bytes());
    if (!is_divided) return;
  }
  require(bytes == layout.whole_bytes());
}

/// A message with an interface, and scalars of a call of each of its routines.
void try_interface(Bytes input) {
  const json message = tasuki::rpc::decode_body(input);
  const json scalars = message.value("scalars", json::object());
  const tasuki::rpc::Module module =
      tasuki::rpc::module_from_json(message.value("interface", json()));
  for (const tasuki::rpc::Routine& routine : module.routines) {
    const auto integers = tasuki::rpc::integers_of(routine, scalars);
    for (const int ranks : {1, 2, 6}) {
      for (const auto& layout : tasuki::rpc::layout_of(routine, integers, ranks)) {
        if (layout) check_layout(*layout);
      }
    }
  }
}

void try_xdr(Bytes input) {
  if (input.empty()) return;
  constexpr int numbers_count = static_cast<int>(tasuki::rpc::Number::complex128) + 1;
  const auto number = static_cast<tasuki::rpc::Number>(input[0] % numbers_count);
  const Bytes wire = input.subspan(1);
  const std::size_t count = wire.size() / tasuki::rpc::xdr_bytes_of(number);
  std::vector<std::byte> decoded(count * tasuki::rpc::bytes_of(number));
  tasuki::rpc::decode_xdr(number, std::as_bytes(wire).data(), decoded);
  std::vector<std::byte> encoded(count * tasuki::rpc::xdr_bytes_of(number));
  tasuki::rpc::encode_xdr(number, decoded, encoded.data());
  require(std::ranges::equal(encoded, std::as_bytes(wire.first(encoded.size()))));
}

void try_address(Bytes input) {
  const std::string text(input.begin(), input.end());
  require(!tasuki::rpc::server_address(text).host.empty());
}

// Inputs of the kept corpus begin with places in this list: others come behind.
constexpr std::array decoders = {
    try_frame,
    try_interface,
    try_xdr,
    try_address,
    tasuki::fuzz::serve_visitor,
    tasuki::fuzz::take_reports,
    tasuki::fuzz::serve_calls,
    tasuki::fuzz::obey_front_end,
    tasuki::fuzz::receive_answer,
};

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer calls it so.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t bytes) {
  if (bytes == 0) return 0;
  try {
    decoders[data[0] % decoders.size()]({data + 1, bytes - 1});
  } catch (const tasuki::error&) {
    return 0;
  }
  return 0;
}
