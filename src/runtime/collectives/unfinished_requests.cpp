#include "runtime/collectives/unfinished_requests.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

namespace tasuki::runtime {
namespace {

using Kind = UnfinishedRequest::Kind;

constexpr std::int64_t for_ever_ns = std::numeric_limits<std::int64_t>::max();
/// A tenth of what Ethernet of 100 Mbit/s carries.
constexpr std::uint64_t slow_network_ns_per_byte = 1000;

struct Message {
  std::int32_t from;
  std::int32_t to;
  std::uint32_t number;
  std::uint64_t bytes;
  auto operator<=>(const Message&) const = default;
};

struct Ends {
  bool is_sent = false;
  bool is_received = false;
};

std::map<Message, Ends> messages_of(const std::vector<UnfinishedRequests>& by_rank) {
  std::map<Message, Ends> messages;
  for (const UnfinishedRequests& of_rank : by_rank) {
    for (const UnfinishedRequest& request : of_rank.listed) {
      if (request.kind == Kind::send) {
        messages[{of_rank.rank, request.peer, request.number, request.bytes}].is_sent = true;
      } else if (request.kind == Kind::receive) {
        messages[{request.peer, of_rank.rank, request.number, request.bytes}].is_received = true;
      }
    }
  }
  return messages;
}

bool has_message_with_both_ends(const std::vector<UnfinishedRequests>& by_rank) {
  const std::map<Message, Ends> messages = messages_of(by_rank);
  return std::any_of(messages.begin(), messages.end(), [](const auto& each) {
    return each.second.is_sent && each.second.is_received;
  });
}

}  // namespace

std::optional<LengthMismatch> length_mismatch_of(const std::vector<UnfinishedRequests>& by_rank) {
  const std::map<Message, Ends> messages = messages_of(by_rank);
  for (const auto& [sent, ends_of_sent] : messages) {
    for (auto other = messages.lower_bound({sent.from, sent.to, sent.number, 0});
         ends_of_sent.is_sent && other != messages.end(); ++other) {
      const auto& [received, ends] = *other;
      if (std::tie(received.from, received.to, received.number) !=
          std::tie(sent.from, sent.to, sent.number)) {
        break;
      }
      if (ends.is_received && received.bytes != sent.bytes) {
        return LengthMismatch{"a collective", sent.from, sent.bytes, received.bytes};
      }
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
