#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <tasuki/detail/base/clock.hpp>
#include <tasuki/detail/layout/array_view.hpp>
#include <tasuki/error.hpp>
#include <utility>

#include "rpc/interface/call_bytes.hpp"
#include "rpc/links/block_transfer.hpp"
#include "rpc/server/staged_call.hpp"
#include "rpc/wire/block_sender.hpp"
#include "rpc/wire/file_transfer.hpp"
#include "rpc/wire/frame.hpp"
#include "rpc/wire/private_file.hpp"

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

/// Of all that the front end holds until the call has ended; at most INT64_MAX. Nobody knows yet
/// how many bytes files will have that come back.
std::int64_t held_bytes(const StagedCall& call) {
  std::int64_t bytes = 0;
  for (const StagedArray& one : call.sent) bytes = sum_of_bytes(bytes, one.layout.whole_bytes());
  for (const StagedArray& one : call.returned) {
    // What is sent, too, is there once.
    if (!one.parameter.is_sent()) bytes = sum_of_bytes(bytes, one.layout.whole_bytes());
  }
  for (const PlacedFile& one : call.sent_files) bytes = sum_of_bytes(bytes, one.bytes);
  return bytes;
}

/// The array as the client has it: on one rank.
PlacedArray as_owned(const StagedArray& array, const ArrayArgument& memory) {
  return {array.parameter, array.whole, memory};
}

}  // namespace

void call_original(Socket& client, RankLinks& ranks, const StagedCall& call,
                   const StagingTerms& terms) {
  const std::int64_t start_ns = base::now_ns();
  const StagingRoom::Part part(terms.room, held_bytes(call));
  WholeArrays whole;
  Exchange exchange{call.message};
  for (const StagedArray& one : call.sent) {
    exchange.sent.push_back({one.parameter, one.layout, whole.add(one)});
  }
  for (std::size_t i = 0; i < call.sent.size(); ++i) {
    receive_placed(client, call.wire, 0, as_owned(call.sent[i], exchange.sent[i].array));
  }
  for (const StagedArray& one : call.returned) {
    const auto is_same = [&](const PlacedArray& other) {
      return &other.parameter == &one.parameter;
    };
    const auto both = std::ranges::find_if(exchange.sent, is_same);
    exchange.returned.push_back(
        {one.parameter, one.layout, both == exchange.sent.end() ? whole.add(one) : both->array});
  }
  std::vector<PlacedArray> owned;
  for (std::size_t i = 0; i < call.returned.size(); ++i) {
    owned.push_back(as_owned(call.returned[i], exchange.returned[i].array));
  }
  std::vector<PrivateFile> files;
  for (PlacedFile one : call.sent_files) {
    one.descriptor = files.emplace_back().descriptor();
    receive_file(client, one.descriptor, one.bytes);
    exchange.sent_files.push_back(one);
  }
  for (const std::string& name : call.returned_files) {
    exchange.returned_files.push_back({name, files.emplace_back().descriptor()});
  }
  exchange.serve_callback = pass_to(client);
  const std::size_t results_begin = call.sent_files.size();
  const json results = staged_results(start_ns, ranks.call(std::move(exchange)), terms);
  send_frame(client, results);
  BlockSender sender(client);
  send_blocks(client, sender, call.wire, 0, owned);
  for (std::size_t i = results_begin; i < files.size(); ++i) {
    send_file(client, files[i].descriptor(), files[i].bytes());
  }
}

}  // namespace tasuki::rpc
