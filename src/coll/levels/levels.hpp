// The groups of a collective that knows nodes: the ranks of a node, and those that join the nodes.
//
// Thread-safety: values.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <tasuki/detail/coll/placement.hpp>
#include <tasuki/detail/coll/shape.hpp>

#include "coll/levels/composition.hpp"
#include "coll/patterns/partition.hpp"

namespace tasuki::coll {

/// Which rank speaks for its node.
enum class Leader {
  first,  ///< Of the node's.
  last,
  root,  ///< On the root's node; on others the first.
};

struct Levels {
  Group node;         ///< The ranks of this rank's node.
  Group across = {};  ///< One rank of each node, in the order of nodes.
  int node_number = 0;
  /// Place in `node` of the rank that is in `across`.
  int leader_place = 0;

  /// One rank speaks for its node.
  static Levels with_leaders(const Shape& shape, Leader leader);
  /// Each rank speaks for its lane: those that have the same place on their nodes.
  /// Requires: the placement is level.
  static Levels with_lanes(const Shape& shape);

  bool is_leader() const noexcept { return across.place >= 0; }
};

/// The ranks' blocks of a node, in a buffer that has those of all ranks one node after the other.
Slice blocks_of_node(const Shape& shape, const Slice& by_node, int node);
/// The elements of each node's ranks.
std::vector<std::size_t> node_counts(const Shape& shape);
/// The ranks of all lanes, one lane after the other. Requires: the placement is level.
std::vector<int> ranks_by_lane(const Placement& placement);
/// Copies blocks of ranks that lie in an order to where they lie by rank; and the reverse.
void arrange_by_rank(Composition& whole, const Shape& shape, std::span<const int> order,
                     const Slice& in_order, const Slice& by_rank);
void arrange_in_order(Composition& whole, const Shape& shape, std::span<const int> order,
                      const Slice& by_rank, const Slice& in_order);

/// The counts of so many parts.
std::vector<std::size_t> counts_of(const Partition& partition, int parts_count);

// Why a collective cannot be done in two levels, or "": what `not_applicable_because` asks for.

/// Needs several nodes, of which one at least has several ranks, and to know where the ranks are.
std::string needs_nodes(const Shape& shape, const Parameters& parameters);
/// For lanes: also needs the same number of ranks on each node.
std::string needs_level_nodes(const Shape& shape, const Parameters& parameters);
/// For reductions: also needs an operator that commutes, or ranks that lie on the nodes one after
/// the other.
std::string needs_nodes_in_rank_order(const Shape& shape, const Parameters& parameters);
std::string needs_level_nodes_in_rank_order(const Shape& shape, const Parameters& parameters);

}  // namespace tasuki::coll
