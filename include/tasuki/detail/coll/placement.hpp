// Where the ranks of a team are: which of them share a node.
//
// Made by the runtime, by the executor for MPI programs and by the simulator; read by algorithms
// that send less between nodes than within them. Thread-safety: values.
#pragma once

#include <memory>
#include <span>
#include <vector>

namespace tasuki::coll {

class Placement {
 public:
  /// `nodes` has one number for each rank, the same for ranks of one node. `groups`, if not empty,
  /// has one number for each rank, too: the same for ranks of nodes that are near each other, such
  /// as those at one switch. Requires: ranks of one node are in one group. Where each rank is alone
  /// on its node, the groups are not used.
  explicit Placement(std::span<const int> nodes, std::span<const int> groups = {});
  /// Ranks that lie on the nodes one after the other, and so do nodes in their groups.
  static Placement in_order(int ranks_count, int ranks_per_node, int nodes_per_group = 1);

  int nodes_count() const noexcept { return static_cast<int>(first_.size()) - 1; }
  /// The number of a rank's node. Nodes are numbered in the order of their first ranks.
  int node_of(int rank) const noexcept { return node_of_[static_cast<std::size_t>(rank)]; }
  /// Its number among the ranks of its node.
  int place_of(int rank) const noexcept { return place_of_[static_cast<std::size_t>(rank)]; }
  /// In ascending order.
  std::span<const int> ranks_on(int node) const noexcept;
  /// The ranks of all nodes, one node after the other.
  std::span<const int> ranks_by_node() const noexcept { return by_node_; }

  int most_ranks_per_node() const noexcept { return most_ranks_per_node_; }
  /// Has each node as many ranks?
  bool is_level() const noexcept { return is_level_; }
  /// Do the ranks lie on the nodes one after the other?
  bool is_in_order() const noexcept { return is_in_order_; }

  /// Where the nodes are: a placement of nodes in groups, in which node numbers are the ranks. Each
  /// node is in a group of its own if no groups were given. nullptr: no node has several ranks.
  const Placement* of_nodes() const noexcept { return of_nodes_.get(); }

  bool operator==(const Placement& other) const noexcept;

 private:
  std::vector<int> node_of_;
  std::vector<int> place_of_;
  std::vector<int> by_node_;
  std::vector<std::size_t> first_ = {0};  ///< Of each node, in `by_node_`; and the end.
  int most_ranks_per_node_ = 0;
  bool is_level_ = true;
  bool is_in_order_ = true;
  std::shared_ptr<const Placement> of_nodes_;
};

}  // namespace tasuki::coll
