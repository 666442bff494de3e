#include "sssp/graph_formats.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/mixed.hpp"

namespace tasuki::sssp {

Weight pace_weight(std::uint64_t one, std::uint64_t other) noexcept {
  const std::uint64_t name = (std::min(one, other) << 32) + std::max(one, other);
  return static_cast<Weight>(1 + apps::mixed(name) % 1000);
}

EdgeList read_pace(LineReader& lines) {
  EdgeList list;
  list.first_number = 1;
  list.node_count = static_cast<Node>(lines.number("number of nodes", 0, most_nodes));
  const std::uint64_t edge_count = lines.number("number of edges", 0, most_arcs / 2);
  lines.end();
  while (lines.next("c")) {
    if (list.arcs.size() == 2 * edge_count)
      lines.fail(fmt::format("there are more than the {} edges of the header", edge_count),
                 "correct the header");
    const auto one = static_cast<Node>(lines.number("node", 1, list.node_count));
    const auto other = static_cast<Node>(lines.number("node", 1, list.node_count));
    lines.end();
    const Weight weight = pace_weight(one, other);
    list.arcs.push_back({one - 1, other - 1, weight});
    list.arcs.push_back({other - 1, one - 1, weight});
  }
  if (list.arcs.size() < 2 * edge_count)
    lines.fail(fmt::format("the file ends after {} of the {} edges of the header",
                           list.arcs.size() / 2, edge_count),
               "get the whole file or correct the header");
  return list;
}

}  // namespace tasuki::sssp
