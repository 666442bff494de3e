#include "runtime/collectives/unfinished_requests.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace tasuki::runtime {
namespace {

using Kind = UnfinishedRequest::Kind;

constexpr std::int64_t for_ever_ns = std::numeric_limits<std::int64_t>::max();
/// A tenth of what Ethernet of 100 Mbit/s carries.
constexpr std::uint64_t slow_network_ns_per_byte = 1000;

/// Between two ranks, of the collective with that number.
struct Pair {
  std::int32_t from;
  std::int32_t to;
  std::uint32_t number;
  auto operator<=>(const Pair&) const = default;
};

/// The bytes of its messages.
struct Ends {
  std::set<std::uint64_t> sent;
  std::set<std::uint64_t> received;
};

std::map<Pair, Ends> messages_of(const std::vector<UnfinishedRequests>& by_rank) {
  std::map<Pair, Ends> messages;
  for (const UnfinishedRequests& of_rank : by_rank) {
    for (const UnfinishedRequest& request : of_rank.listed) {
      if (request.kind == Kind::send) {
        messages[{of_rank.rank, request.peer, request.number}].sent.insert(request.bytes);
      } else if (request.kind == Kind::receive) {
        messages[{request.peer, of_rank.rank, request.number}].received.insert(request.bytes);
      }
    }
  }
  return messages;
}

bool has_message_with_both_ends(const std::vector<UnfinishedRequests>& by_rank) {
  return std::ranges::any_of(messages_of(by_rank), [](const auto& each) {
    const Ends& ends = each.second;
    return std::ranges::any_of(ends.sent,
                               [&](auto bytes) { return ends.received.contains(bytes); });
  });
}

}  // namespace

std::optional<LengthMismatch> length_mismatch_of(const std::vector<UnfinishedRequests>& by_rank) {
  for (const auto& [pair, ends] : messages_of(by_rank)) {
    for (const std::uint64_t sent_bytes : ends.sent) {
      const auto other = std::ranges::find_if(
          ends.received, [&](std::uint64_t bytes) { return bytes != sent_bytes; });
      if (other == ends.received.end()) continue;
      return LengthMismatch{"a collective", pair.from, sent_bytes, *other};
    }
  }
  return std::nullopt;
}

std::int64_t patience_ns(const std::vector<UnfinishedRequests>& by_rank) {
  if (has_message_with_both_ends(by_rank)) return for_ever_ns;
  std::uint32_t begun_by_all_count = std::numeric_limits<std::uint32_t>::max();
  for (const UnfinishedRequests& of_rank : by_rank) {
    begun_by_all_count = std::min(begun_by_all_count, of_rank.collectives_begun_count);
  }
  std::uint64_t partial_bytes = 0;
  for (const UnfinishedRequests& of_rank : by_rank) {
    for (const UnfinishedRequest& request : of_rank.listed) {
      const bool is_partial = request.kind == Kind::partial_collective;
      if (!is_partial && request.kind != Kind::collective) continue;
      if (request.number < begun_by_all_count) return for_ever_ns;
      if (is_partial) partial_bytes += request.bytes;
    }
  }
  const std::uint64_t most_bytes = for_ever_ns / slow_network_ns_per_byte;
  return static_cast<std::int64_t>(std::min(partial_bytes, most_bytes) * slow_network_ns_per_byte);
}

}  // namespace tasuki::runtime
