#include "sssp/graph_limits.hpp"

#include <gtest/gtest.h>

#include "sssp/graph_error.hpp"

namespace tasuki::sssp {
namespace {

EdgeList graph(Node nodes, std::size_t arcs) {
  return {.node_count = nodes, .arcs = std::vector<Edge>(arcs)};
}

template <class Check>
std::string complaint(Check check) {
  try {
    check();
  } catch (const graph_error& error) {
    return error.what();
  }
  return "";
}

TEST(GraphLimits, TakeGraphsWithNodesWithoutArcs) {
  EXPECT_NO_THROW(check_names("g.gr", graph(1 << 20, 0)));
  EXPECT_NO_THROW(check_names("g.gr", graph((1 << 20) + 160, 10)));
}

TEST(GraphLimits, RefuseNodesThatNoArcCouldName) {
  EXPECT_EQ(complaint([] { check_names("g.gr", graph((1 << 20) + 161, 10)); }),
            "tasuki: sssp: g.gr: almost none of its 1048737 nodes has an arc: it has 10 arcs. "
            "Remedy: correct the "
            "number of nodes in its header, or the largest one in its lines.");
  EXPECT_NE(complaint([] { check_names("g.gr", graph(most_nodes, 0)); }), "");
}

TEST(GraphLimits, RefuseWhatTheMachineCannotHold) {
  const EdgeList list = graph(1000, 100);
  const std::uint64_t bytes = 1000 * 64 + 100 * sizeof(Edge);
  EXPECT_NO_THROW(check_memory("g.gr", list, bytes));
  EXPECT_EQ(
      complaint([&] { check_memory("g.gr", list, bytes - 1); }),
      "tasuki: sssp: g.gr: 1000 nodes and 100 arcs take more than the 65199 bytes of this machine"
      ". Remedy: correct the numbers of its nodes or take a smaller graph.");
}

}  // namespace
}  // namespace tasuki::sssp
