#include <tasuki/containers/bag.hpp>
#include <tasuki/tasuki.hpp>
#include <vector>

#include "common/mixed.hpp"
#include "kernels.hpp"

namespace tasuki::bench::kernels {
namespace {

/// A node of a tree whose shape nobody knows beforehand, as in the Unbalanced Tree Search benchmark
/// (Olivier et al., LCPC 2006): its binomial tree, whose nodes have many children or none.
struct Node {
  std::uint64_t state;
};

/// What a node takes to compute: about 100 ns, as the SHA-1 of the original.
std::uint64_t child_state(std::uint64_t state, std::uint64_t number) {
  constexpr int rounds_count = 20;
  for (int round = 0; round < rounds_count; ++round) state = apps::mixed(state + number);
  return state;
}

constexpr std::uint64_t children_most = 8;

/// On average 0.992 nodes come from a node, so that subtrees have 125 nodes on average and may have
/// thousands.
std::uint64_t children_count(Node node) {
  constexpr std::uint64_t per_thousand = 124;
  return node.state % 1000 < per_thousand ? children_most : 0;
}

template <class Insert>
void visit(Node node, Insert insert) {
  for (std::uint64_t i = 0; i < children_count(node); ++i) {
    insert(Node{child_state(node.state, i)});
  }
}

std::int64_t nodes_below(std::int64_t subtrees) {
  std::int64_t count = 0;
  std::vector<Node> open;
  for (std::int64_t i = 0; i < subtrees; ++i) {
    open.push_back({child_state(0, static_cast<std::uint64_t>(i))});
    while (!open.empty()) {
      const Node node = open.back();
      open.pop_back();
      ++count;
      visit(node, [&](Node child) { open.push_back(child); });
    }
  }
  return count;
}

}  // namespace

Measured tree_search(std::int64_t subtrees) {
  Bag<Node> open;
  if (rank() == 0) {
    for (std::int64_t i = 0; i < subtrees; ++i) {
      open.local_insert({child_state(0, static_cast<std::uint64_t>(i))});
    }
  }
  std::int64_t count = 0;
  barrier();
  const Stopwatch watch;
  open.process([&](Node node, Bag<Node>& bag) {
    ++count;
    visit(node, [&](Node child) { bag.local_insert(child); });
  });
  Measured measured = watch.elapsed(0);
  const std::int64_t all = allreduce(count, Sum{});
  measured.operations = static_cast<double>(all) / size();
  measured.is_right = rank() != 0 || all == nodes_below(subtrees);
  return measured;
}

}  // namespace tasuki::bench::kernels
