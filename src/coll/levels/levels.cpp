#include "coll/levels/levels.hpp"

#include <tasuki/detail/base/assert.hpp>
#include <tasuki/detail/coll/placement.hpp>

#include <algorithm>

#include "coll/patterns/numbers.hpp"

namespace tasuki::coll {
namespace {

Group node_of(const Shape& shape) {
  const Placement& placement = *shape.placement;
  const auto ranks = placement.ranks_on(placement.node_of(shape.rank));
  return {{ranks.begin(), ranks.end()}, placement.place_of(shape.rank)};
}

/// What is the same whoever speaks for a node.
Levels without_speakers(const Shape& shape) {
  const Placement& placement = *shape.placement;
  Levels levels{.node = node_of(shape), .node_number = placement.node_of(shape.rank)};
  levels.across.placement = placement.of_nodes();
  return levels;
}

int leader_of(const Shape& shape, int node, Leader leader) {
  const Placement& placement = *shape.placement;
  if (leader == Leader::root && node == placement.node_of(shape.root)) return shape.root;
  const auto ranks = placement.ranks_on(node);
  return leader == Leader::last ? ranks.back() : ranks.front();
}

std::string needs_rank_order(const Shape& shape) {
  if (shape.commutative || shape.placement->is_in_order()) return {};
  return "the operator does not commute, and ranks do not lie on the nodes one after the other";
}

}  // namespace

Levels Levels::with_leaders(const Shape& shape, Leader leader) {
  const Placement& placement = *shape.placement;
  Levels levels = without_speakers(shape);
  for (int node = 0; node < placement.nodes_count(); ++node) {
    const int speaker = leader_of(shape, node, leader);
    if (speaker == shape.rank) levels.across.place = node;
    if (node == levels.node_number) levels.leader_place = placement.place_of(speaker);
    levels.across.ranks.push_back(speaker);
  }
  return levels;
}

Levels Levels::with_lanes(const Shape& shape) {
  const Placement& placement = *shape.placement;
  TASUKI_ASSERT(placement.is_level());
  Levels levels = without_speakers(shape);
  for (int node = 0; node < placement.nodes_count(); ++node) {
    levels.across.ranks.push_back(placement.ranks_on(node)[as_size(levels.node.place)]);
  }
  levels.across.place = levels.node_number;
  levels.leader_place = levels.node.place;
  return levels;
}

Slice blocks_of_node(const Shape& shape, const Slice& by_node, int node) {
  const Placement& placement = *shape.placement;
  const auto ranks = placement.ranks_on(node);
  const auto before = as_size(static_cast<int>(ranks.data() - placement.ranks_by_node().data()));
  return by_node.part(before * shape.count, ranks.size() * shape.count);
}

std::vector<std::size_t> node_counts(const Shape& shape) {
  std::vector<std::size_t> counts;
  for (int node = 0; node < shape.placement->nodes_count(); ++node) {
    counts.push_back(shape.placement->ranks_on(node).size() * shape.count);
  }
  return counts;
}

std::vector<int> ranks_by_lane(const Placement& placement) {
  std::vector<int> order;
  for (int place = 0; place < placement.most_ranks_per_node(); ++place) {
    for (int node = 0; node < placement.nodes_count(); ++node) {
      order.push_back(placement.ranks_on(node)[as_size(place)]);
    }
  }
  return order;
}

void arrange_by_rank(Composition& whole, const Shape& shape, std::span<const int> order,
                     const Slice& in_order, const Slice& by_rank) {
  std::size_t offset = 0;
  for (const int rank : order) {
    whole.copy(in_order.part(offset, shape.count),
               by_rank.part(as_size(rank) * shape.count, shape.count));
    offset += shape.count;
  }
}

void arrange_in_order(Composition& whole, const Shape& shape, std::span<const int> order,
                      const Slice& by_rank, const Slice& in_order) {
  std::size_t offset = 0;
  for (const int rank : order) {
    whole.copy(by_rank.part(as_size(rank) * shape.count, shape.count),
               in_order.part(offset, shape.count));
    offset += shape.count;
  }
}

std::vector<std::size_t> counts_of(const Partition& partition, int parts_count) {
  std::vector<std::size_t> counts;
  for (int part = 0; part < parts_count; ++part) counts.push_back(partition.count(part));
  return counts;
}

std::string needs_nodes(const Shape& shape, const Parameters&) {
  if (shape.placement == nullptr) return "it is not known which ranks share a node";
  const int nodes_count = shape.placement->nodes_count();
  if (nodes_count == 1) return "all ranks are on one node";
  if (nodes_count == shape.ranks) return "each rank is on a node of its own";
  return {};
}

std::string needs_level_nodes(const Shape& shape, const Parameters& parameters) {
  std::string why_not = needs_nodes(shape, parameters);
  if (!why_not.empty()) return why_not;
  return shape.placement->is_level() ? "" : "the nodes have different numbers of ranks";
}

std::string needs_nodes_in_rank_order(const Shape& shape, const Parameters& parameters) {
  const std::string why_not = needs_nodes(shape, parameters);
  return why_not.empty() ? needs_rank_order(shape) : why_not;
}

std::string needs_level_nodes_in_rank_order(const Shape& shape, const Parameters& parameters) {
  const std::string why_not = needs_level_nodes(shape, parameters);
  return why_not.empty() ? needs_rank_order(shape) : why_not;
}

}  // namespace tasuki::coll
