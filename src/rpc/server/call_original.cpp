#include <fmt/format.h>

#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <tasuki/detail/base/clock.hpp>
#include <tasuki/detail/layout/array_view.hpp>
#include <tasuki/error.hpp>
#include <utility>

#include "rpc/server/staged_call.hpp"
#include "rpc/wire/block_sender.hpp"
#include "rpc/wire/frame.hpp"
#include "rpc/wire/xdr.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

/// All arrays of a call, in one piece each.
class WholeArrays {
 public:
  ArrayArgument& add(const StagedArray& array) {
    const auto bytes = static_cast<std::size_t>(array.layout.whole_bytes());
    memories_.emplace_back(new (std::nothrow) std::byte[bytes + 1]);
    if (!memories_.back()) {
      throw error("call",
                  fmt::format("the front end has no memory for {} bytes of {}", bytes,
                              array.parameter.name),
                  "choose the mode hand-off or buffering, which need none");
    }
    const layout::Order order = array.layout.order();
    arguments_.push_back(std::make_unique<ArrayArgument>(
        memories_.back().get(), bytes, layout::contiguous_view(array.layout, order)));
    return *arguments_.back();
  }

 private:
  std::vector<std::unique_ptr<std::byte[]>> memories_;
  std::vector<std::unique_ptr<ArrayArgument>> arguments_;
};

std::span<std::byte> memory_of(const PlacedArray& placed) {
  return {placed.array.memory, placed.array.memory_bytes};
}

void receive(Socket& client, WireFormat wire, const std::vector<PlacedArray>& arrays) {
  XdrReceiver as_xdr(client);
  for (const PlacedArray& one : arrays) {
    if (wire == WireFormat::xdr) {
      as_xdr.receive(one.parameter.number, memory_of(one));
    } else {
      client.receive(one.array.memory, one.array.memory_bytes);
    }
  }
}

void send(Socket& client, WireFormat wire, const std::vector<PlacedArray>& arrays) {
  if (wire == WireFormat::xdr) {
    XdrSender sender(client);
    for (const PlacedArray& one : arrays) sender.add(one.parameter.number, memory_of(one));
    sender.flush();
  } else {
    BlockSender sender(client);
    for (const PlacedArray& one : arrays) sender.add(memory_of(one));
    sender.flush();
  }
}

}  // namespace

void call_original(Socket& client, RankLinks& ranks, const StagedCall& call) {
  const std::int64_t start_ns = base::now_ns();
  WholeArrays whole;
  Exchange exchange{call.message};
  for (const StagedArray& one : call.sent) {
    exchange.sent.push_back({one.parameter, one.layout, whole.add(one)});
  }
  receive(client, call.wire, exchange.sent);
  for (const StagedArray& one : call.returned) {
    const auto is_same = [&](const PlacedArray& other) {
      return &other.parameter == &one.parameter;
    };
    const auto both = std::ranges::find_if(exchange.sent, is_same);
    exchange.returned.push_back(
        {one.parameter, one.layout, both == exchange.sent.end() ? whole.add(one) : both->array});
  }
  const std::vector<PlacedArray> returned = exchange.returned;
  std::vector<json> seconds = ranks.call(std::move(exchange));
  send_frame(client, staged_results(start_ns, std::move(seconds)));
  send(client, call.wire, returned);
}

}  // namespace tasuki::rpc
