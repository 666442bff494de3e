#include "rpc/links/rank_links.hpp"

#include <algorithm>
#include <exception>
#include <thread>

#include "rpc/wire/frame.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

/// Below this, starting threads takes longer than they save.
constexpr std::int64_t parallel_bytes = std::int64_t{256} << 10;

std::int64_t bytes_of(const RemoteCall& call) {
  std::int64_t bytes = 0;
  call.for_each_array([](const Parameter& one) { return one.mode != Mode::work; },
                      [&](const layout::ArrayLayout& layout, const ArrayArgument&) {
                        bytes += layout.whole_bytes();
                      });
  return bytes;
}

}  // namespace

RankLinks::RankLinks(const std::vector<RankAddress>& ranks) {
  for (const RankAddress& one : ranks) links_.emplace_back(static_cast<int>(links_.size()), one);
}

bool RankLinks::has_ended() const noexcept {
  return std::ranges::any_of(links_, [](const RankLink& one) { return one.has_ended(); });
}

std::vector<json> RankLinks::call(const RemoteCall& call) {
  const std::vector<std::uint8_t> head = encode_frame({{"message", "call"},
                                                       {"call", ++calls_count_},
                                                       {"routine", call.routine.name},
                                                       {"scalars", call.scalars}});
  std::vector<json> seconds(links_.size());
  if (links_.size() > 1 && bytes_of(call) >= parallel_bytes) {
    call_at_once(head, call, seconds);
  } else {
    call_in_turn(head, call, seconds);
  }
  return seconds;
}

void RankLinks::call_in_turn(std::span<const std::uint8_t> head, const RemoteCall& call,
                             std::vector<json>& seconds) {
  for (RankLink& one : links_) one.send(head, call);
  std::ranges::transform(links_, seconds.begin(), [&](RankLink& one) { return one.receive(call); });
}

void RankLinks::call_at_once(std::span<const std::uint8_t> head, const RemoteCall& call,
                             std::vector<json>& seconds) {
  std::vector<std::exception_ptr> faults(links_.size());
  {
    std::vector<std::jthread> threads;
    for (RankLink& one : links_) {
      threads.emplace_back([&, rank = threads.size()] {
        try {
          one.send(head, call);
          seconds[rank] = one.receive(call);
        } catch (...) {
          faults[rank] = std::current_exception();
        }
      });
    }
  }
  for (const std::exception_ptr& fault : faults) {
    if (fault) std::rethrow_exception(fault);
  }
}

}  // namespace tasuki::rpc
