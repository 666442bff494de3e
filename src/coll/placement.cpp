#include <tasuki/detail/coll/placement.hpp>

#include <algorithm>
#include <cstddef>
#include <map>

namespace tasuki::coll {

Placement::Placement(std::span<const int> nodes, std::span<const int> groups) {
  std::map<int, int> numbers;
  std::vector<std::vector<int>> ranks;
  // What a placement takes is in the accounts of memory: no vector is to have room to grow.
  for (std::vector<int>* each : {&node_of_, &place_of_, &by_node_}) each->reserve(nodes.size());
  for (std::size_t rank = 0; rank < nodes.size(); ++rank) {
    const auto [known, is_new] = numbers.emplace(nodes[rank], static_cast<int>(ranks.size()));
    if (is_new) ranks.emplace_back();
    std::vector<int>& here = ranks[static_cast<std::size_t>(known->second)];
    node_of_.push_back(known->second);
    place_of_.push_back(static_cast<int>(here.size()));
    here.push_back(static_cast<int>(rank));
  }
  first_.reserve(ranks.size() + 1);
  for (const std::vector<int>& here : ranks) {
    by_node_.insert(by_node_.end(), here.begin(), here.end());
    first_.push_back(by_node_.size());
    most_ranks_per_node_ = std::max(most_ranks_per_node_, static_cast<int>(here.size()));
    is_level_ = is_level_ && here.size() == ranks.front().size();
  }
  is_in_order_ = std::is_sorted(by_node_.begin(), by_node_.end());
  // One group of all says as little as none.
  const bool has_groups =
      std::ranges::adjacent_find(groups, std::ranges::not_equal_to{}) != groups.end();
  if (nodes_count() == static_cast<int>(nodes.size())) return;
  std::vector<int> group_of_node;
  for (int node = 0; node < nodes_count(); ++node) {
    const auto first = static_cast<std::size_t>(ranks_on(node).front());
    group_of_node.push_back(has_groups ? groups[first] : node);
  }
  of_nodes_ = std::make_shared<const Placement>(group_of_node);
}

Placement Placement::in_order(int ranks_count, int ranks_per_node, int nodes_per_group) {
  std::vector<int> nodes;
  std::vector<int> groups;
  for (int rank = 0; rank < ranks_count; ++rank) {
    nodes.push_back(rank / ranks_per_node);
    groups.push_back(nodes.back() / nodes_per_group);
  }
  return Placement(nodes, groups);
}

bool Placement::operator==(const Placement& other) const noexcept {
  if (by_node_ != other.by_node_ || first_ != other.first_) return false;
  if (of_nodes_ == nullptr || other.of_nodes_ == nullptr) return of_nodes_ == other.of_nodes_;
  return *of_nodes_ == *other.of_nodes_;
}

std::span<const int> Placement::ranks_on(int node) const noexcept {
  const auto index = static_cast<std::size_t>(node);
  return std::span(by_node_).subspan(first_[index], first_[index + 1] - first_[index]);
}

}  // namespace tasuki::coll
