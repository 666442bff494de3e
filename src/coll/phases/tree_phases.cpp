#include "coll/phases/tree_phases.hpp"

#include <algorithm>

#include "coll/patterns/numbers.hpp"
#include "coll/patterns/partition.hpp"

namespace tasuki::coll {
namespace {

/// The blocks below one node of a k-nomial tree: of relative numbers [first, last).
struct Subtree {
  int first;
  int last;
};

Subtree subtree_of(const Shape& shape, int rank, int radix) {
  const int relative = wrapped(rank - shape.root, shape.ranks);
  return {relative, relative + knomial_subtree_size(shape.ranks, relative, radix)};
}

/// The subtree's blocks at the root, which may wrap around the last rank: one or two slices.
struct RootSlices {
  Slice low;   ///< Of the smaller relative numbers.
  Slice high;  ///< Of the others; empty if all are in `low`.
};

RootSlices at_root(const Shape& shape, Subtree tree, const Blocks& all) {
  const int first = tree.first + shape.root;
  const int last = tree.last + shape.root;
  const int p = shape.ranks;
  if (first >= p) return {all.range(first - p, last - p), {}};
  if (last <= p) return {all.range(first, last), {}};
  return {all.range(first, p), all.range(0, last - p)};
}

}  // namespace

int segments_count(std::size_t count, std::size_t element_bytes, std::size_t segment_bytes) {
  if (segment_bytes == 0 || count == 0) return 1;
  const std::size_t segment_count = std::max<std::size_t>(1, segment_bytes / element_bytes);
  return static_cast<int>(ceil_div(count, segment_count));
}

void broadcast_along(ScheduleBuilder& builder, const TreeNode& node, Slice data, int segments) {
  const Partition parts(data.count, segments);
  const auto segment = [&](int index) {
    return data.part(parts.offset(index), parts.count(index));
  };
  for (int step = 0; step <= segments; ++step) {
    if (node.parent >= 0 && step < segments) builder.receive(node.parent, segment(step));
    const int ready = node.parent >= 0 ? step - 1 : step;
    if (ready >= 0 && ready < segments) {
      for (const int child : node.children) builder.send(child, segment(ready));
    }
    builder.next_round();
  }
}

void knomial_reduce(Accumulator& accumulator, const TreeNode& node) {
  // Children were listed for a broadcast, the farthest first; the nearest are the next operands.
  for (auto child = node.children.rbegin(); child != node.children.rend(); ++child) {
    accumulator.absorb(*child, Side::right);
  }
  if (node.parent >= 0) accumulator.send(node.parent);
}

void knomial_gather(ScheduleBuilder& builder, const Shape& shape, int radix, Slice own,
                    const Blocks& all) {
  const TreeNode node = knomial_tree(shape.ranks, shape.rank, shape.root, radix);
  const Subtree mine = subtree_of(shape, shape.rank, radix);
  if (node.parent < 0) {
    builder.copy(own, all.of(shape.rank));
    for (const int child : node.children) {
      const RootSlices place = at_root(shape, subtree_of(shape, child, radix), all);
      if (place.high.count == 0) {
        builder.receive(child, place.low);
        continue;
      }
      const Slice arrived = builder.scratch(place.low.count + place.high.count);
      builder.receive(child, arrived);
      builder.copy(arrived.part(0, place.low.count), place.low);
      builder.copy(arrived.part(place.low.count, place.high.count), place.high);
    }
    builder.next_round();
    return;
  }
  if (node.children.empty()) {
    builder.send(node.parent, own);
    builder.next_round();
    return;
  }
  const Slice gathered = builder.scratch(as_size(mine.last - mine.first) * own.count);
  builder.copy(own, gathered.part(0, own.count));
  for (const int child : node.children) {
    const Subtree theirs = subtree_of(shape, child, radix);
    builder.receive(child, gathered.part(as_size(theirs.first - mine.first) * own.count,
                                         as_size(theirs.last - theirs.first) * own.count));
  }
  builder.next_round();
  builder.send(node.parent, gathered);
  builder.next_round();
}

void knomial_scatter(ScheduleBuilder& builder, const Shape& shape, int radix, const Blocks& all,
                     Slice own) {
  const TreeNode node = knomial_tree(shape.ranks, shape.rank, shape.root, radix);
  const Subtree mine = subtree_of(shape, shape.rank, radix);
  if (node.parent < 0) {
    std::vector<Slice> parcels;
    for (const int child : node.children) {
      const RootSlices place = at_root(shape, subtree_of(shape, child, radix), all);
      parcels.push_back(place.low);
      if (place.high.count == 0) continue;
      parcels.back() = builder.scratch(place.low.count + place.high.count);
      builder.copy(place.low, parcels.back().part(0, place.low.count));
      builder.copy(place.high, parcels.back().part(place.low.count, place.high.count));
    }
    builder.next_round();
    for (std::size_t i = 0; i < parcels.size(); ++i) builder.send(node.children[i], parcels[i]);
    builder.copy(all.of(shape.rank), own);
    builder.next_round();
    return;
  }
  if (node.children.empty()) {
    builder.receive(node.parent, own);
    builder.next_round();
    return;
  }
  const Slice scattered = builder.scratch(as_size(mine.last - mine.first) * own.count);
  builder.receive(node.parent, scattered);
  builder.next_round();
  for (const int child : node.children) {
    const Subtree theirs = subtree_of(shape, child, radix);
    builder.send(child, scattered.part(as_size(theirs.first - mine.first) * own.count,
                                       as_size(theirs.last - theirs.first) * own.count));
  }
  builder.copy(scattered.part(0, own.count), own);
  builder.next_round();
}

std::size_t knomial_gather_elements(int ranks, int radix, std::size_t count) {
  std::size_t blocks = 0;
  for (int v = 1; v < ranks; ++v) blocks += as_size(knomial_subtree_size(ranks, v, radix));
  return blocks * count;
}

}  // namespace tasuki::coll
