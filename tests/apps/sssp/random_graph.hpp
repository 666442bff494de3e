// Small graphs of all kinds, each a function of its seed.
//
// Thread-safety: pure functions.
#pragma once

#include <random>

#include "sssp/graph.hpp"

namespace tasuki::sssp {

/// With loops and parallel arcs; by the seed sparse (and so disconnected) or dense, with small,
/// zero or the greatest weights.
inline Graph random_graph(unsigned seed) {
  std::mt19937 random(seed);
  EdgeList list;
  list.node_count = 1 + random() % 400;
  const std::uint64_t arc_count = random() % (list.node_count * (1 + random() % 6));
  const Weight greatest[] = {0, 1, 20, 1000, most_weight};
  const Weight most = greatest[random() % 5];
  for (std::uint64_t arc = 0; arc < arc_count; ++arc)
    list.arcs.push_back({static_cast<Node>(random() % list.node_count),
                         static_cast<Node>(random() % list.node_count),
                         static_cast<Weight>(random() % (std::uint64_t{most} + 1))});
  return Graph(list);
}

}  // namespace tasuki::sssp
