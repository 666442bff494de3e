#include "sssp/graph_formats.hpp"

#include <algorithm>

namespace tasuki::sssp {

EdgeList read_edge_list(LineReader& lines) {
  EdgeList list;
  while (lines.next("#%")) {
    if (list.arcs.size() == most_arcs) lines.fail("there are too many arcs", "shorten the file");
    const auto source = static_cast<Node>(lines.number("node", 0, most_nodes - 1));
    const auto target = static_cast<Node>(lines.number("node", 0, most_nodes - 1));
    const bool is_weighted = !lines.peek().empty();
    const auto weight =
        is_weighted ? static_cast<Weight>(lines.number("weight", 0, most_weight)) : Weight{1};
    lines.end();
    list.arcs.push_back({source, target, weight});
    list.node_count = std::max({list.node_count, source + 1, target + 1});
  }
  return list;
}

}  // namespace tasuki::sssp
