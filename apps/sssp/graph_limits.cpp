#include "sssp/graph_limits.hpp"

#include <fmt/format.h>

#include "sssp/graph_error.hpp"

namespace tasuki::sssp {
namespace {

constexpr std::uint64_t nodes_always_taken = std::uint64_t{1} << 20;
constexpr std::uint64_t nodes_per_arc = 16;

/// What a graph takes on one rank, from below.
std::uint64_t least_bytes(const EdgeList& list) noexcept {
  return std::uint64_t{list.node_count} * 64 + list.arcs.size() * sizeof(Edge);
}

}  // namespace

void check_names(const std::string& file, const EdgeList& list) {
  if (list.node_count <= nodes_always_taken + nodes_per_arc * list.arcs.size()) return;
  throw graph_error(file, 0,
                    fmt::format("almost none of its {} nodes has an arc: it has {} arcs",
                                list.node_count, list.arcs.size()),
                    "correct the number of nodes in its header, or the largest one in its lines");
}

void check_memory(const std::string& file, const EdgeList& list, std::uint64_t machine_bytes) {
  if (least_bytes(list) <= machine_bytes) return;
  throw graph_error(file, 0,
                    fmt::format("{} nodes and {} arcs take more than the {} bytes of this machine",
                                list.node_count, list.arcs.size(), machine_bytes),
                    "correct the numbers of its nodes or take a smaller graph");
}

}  // namespace tasuki::sssp
