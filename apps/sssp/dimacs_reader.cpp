#include "sssp/graph_formats.hpp"

#include <fmt/format.h>

namespace tasuki::sssp {

EdgeList read_dimacs(LineReader& lines) {
  EdgeList list;
  list.first_number = 1;
  list.node_count = static_cast<Node>(lines.number("number of nodes", 0, most_nodes));
  const std::uint64_t arc_count = lines.number("number of arcs", 0, most_arcs);
  lines.end();
  while (lines.next("c")) {
    if (lines.word() != "a")
      lines.fail(fmt::format("'{}' is not an arc", shortened(lines.line())),
                 "write it a FROM TO WEIGHT");
    if (list.arcs.size() == arc_count)
      lines.fail(fmt::format("there are more than the {} arcs of the header", arc_count),
                 "correct the header");
    const auto source = static_cast<Node>(lines.number("node", 1, list.node_count));
    const auto target = static_cast<Node>(lines.number("node", 1, list.node_count));
    const auto weight = static_cast<Weight>(lines.number("weight", 0, most_weight));
    lines.end();
    list.arcs.push_back({source - 1, target - 1, weight});
  }
  if (list.arcs.size() < arc_count)
    lines.fail(fmt::format("the file ends after {} of the {} arcs of the header", list.arcs.size(),
                           arc_count),
               "get the whole file or correct the header");
  return list;
}

}  // namespace tasuki::sssp
