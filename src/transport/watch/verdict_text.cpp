#include "transport/watch/verdict_text.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string_view>

namespace tasuki::transport::watch {
namespace {

constexpr std::int64_t tenth_ns = 100'000'000;

/// Appends to the text; what does not fit is cut off.
class Text {
 public:
  explicit Text(VanishedHosts& told) : told_(told) { told_.text_bytes = 0; }

  Text& operator<<(std::string_view text) noexcept {
    const std::size_t copied = std::min(text.size(), told_.text.size() - told_.text_bytes);
    std::memcpy(told_.text.data() + told_.text_bytes, text.data(), copied);
    told_.text_bytes += static_cast<std::uint32_t>(copied);
    return *this;
  }
  Text& operator<<(std::int64_t number) noexcept {
    std::array<char, 20> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    return *this << std::string_view(digits.data(), static_cast<std::size_t>(end - digits.data()));
  }

 private:
  VanishedHosts& told_;
};

/// As in "2.5 s".
void append_seconds(Text& text, std::int64_t time_ns) {
  const std::int64_t tenths = time_ns / tenth_ns;
  text << tenths / 10;
  if (tenths % 10 != 0) text << "." << tenths % 10;
  text << " s";
}

/// Takes up ranks one after the other: those that follow each other are one run.
void add_rank(VanishedHosts& told, int rank) {
  if (told.ranks_count > 0) {
    VanishedHosts::Ranks& last = told.ranks[told.ranks_count - 1];
    const bool is_full = told.ranks_count == told.ranks.size();
    if (last.last + 1 == rank || is_full) {
      last.last = rank;
      return;
    }
  }
  told.ranks[told.ranks_count++] = {rank, rank};
}

/// As in "host b with ranks 2-3, 6".
void append_node(Text& text, const WatchPlan& plan, int node) {
  const NodeCard& card = plan.nodes[static_cast<std::size_t>(node)];
  const int ranks_count = static_cast<int>(plan.node_of_ranks.size());
  const auto is_there = [&](int rank) {
    return rank < ranks_count && plan.node_of_ranks[static_cast<std::size_t>(rank)] == node;
  };
  const auto count = std::count(plan.node_of_ranks.begin(), plan.node_of_ranks.end(), node);
  text << "host " << card.host.data() << (count == 1 ? " with rank " : " with ranks ");
  const char* before = "";
  for (int rank = 0; rank < ranks_count; ++rank) {
    if (!is_there(rank)) continue;
    text << before << std::int64_t{rank};
    before = ", ";
    const int first = rank;
    while (is_there(rank + 1)) ++rank;
    if (rank > first) text << "-" << std::int64_t{rank};
  }
}

}  // namespace

void write_verdict(const WatchPlan& plan, const Heartbeats& heartbeats, VanishedHosts& told) {
  Text text(told);
  told.ranks_count = 0;
  const bool is_own = heartbeats.has_vanished(plan.own_node);
  int nodes_count = 0;
  for (int node = 0; node < static_cast<int>(plan.nodes.size()); ++node) {
    if (is_own ? node != plan.own_node : !heartbeats.has_vanished(node)) continue;
    if (nodes_count++ > 0) text << "; ";
    append_node(text, plan, node);
  }
  for (int rank = 0; rank < static_cast<int>(plan.node_of_ranks.size()); ++rank) {
    const int node = plan.node_of_ranks[static_cast<std::size_t>(rank)];
    if (heartbeats.has_vanished(node) != is_own) add_rank(told, rank);
  }
  if (is_own) {
    text << " has not been heard by the others for ";
  } else {
    text << (nodes_count > 1 ? " have vanished: there has been no sign of life from them for "
                             : " has vanished: there has been no sign of life from it for ");
  }
  append_seconds(text, heartbeats.silence_ns());
  told.is_written.store(1, std::memory_order_release);
}

}  // namespace tasuki::transport::watch
