#include <tasuki/coll/algorithm.hpp>

#include "coll/patterns/double_tree.hpp"
#include "coll/patterns/numbers.hpp"
#include "coll/patterns/partition.hpp"
#include "coll/phases/timeline.hpp"
#include "coll/phases/tree_phases.hpp"
#include "coll/preconditions.hpp"

namespace tasuki::coll::allreduce {
namespace {

constexpr ParameterDeclaration parameters[] = {
    {"segment_bytes", 64 << 10, 0, 1LL << 40,
     "size of the segments that follow each other along a tree; 0: halves whole"}};

int segments_of(const Shape& shape, const Parameters& given) {
  return segments_count(ceil_div(shape.count, 2), shape.element_bytes,
                        static_cast<std::size_t>(given.get("segment_bytes")));
}

/// One half of the vector, up and down one of the trees.
class HalfTree {
 public:
  HalfTree(Timeline& timeline, const Shape& shape, bool second, int segments)
      : timeline_(timeline),
        tree_(double_tree_node(shape.ranks, shape.rank, second)),
        height_(double_tree_depth(shape.ranks)),
        in_place_(shape.in_place) {
    const Partition halves(shape.count, 2);
    const Slice half{Buffer::output, halves.offset(second ? 1 : 0), halves.count(second ? 1 : 0)};
    const Partition parts(half.count, segments);
    for (int i = 0; i < segments; ++i) {
      segments_.push_back(half.part(parts.offset(i), parts.count(i)));
    }
  }

  void write(ScheduleBuilder& builder) {
    for (std::size_t i = 0; i < segments_.size(); ++i) {
      write_up(builder, static_cast<int>(i), segments_[i]);
      write_down(static_cast<int>(i), segments_[i]);
    }
  }

 private:
  /// A rank at depth d hands segment i up at time height - d + i.
  void write_up(ScheduleBuilder& builder, int index, Slice segment) {
    const auto& children = tree_.node.children;
    const int time = height_ - tree_.depth + index;
    const Slice own{in_place_ ? Buffer::output : Buffer::input, segment.offset, segment.count};
    for (std::size_t i = 0; i < children.size(); ++i) {
      if (i == 0 && !in_place_) {
        timeline_.receive(time - 1, children[i], segment);
        timeline_.reduce(time - 1, own, segment);
        continue;
      }
      if (landings_.size() <= i) landings_.resize(i + 1);
      if (landings_[i].count < segment.count) landings_[i] = builder.scratch(segment.count);
      const Slice arrived = landings_[i].part(0, segment.count);
      timeline_.receive(time - 1, children[i], arrived);
      timeline_.reduce_right(time - 1, arrived, segment);
    }
    if (tree_.node.parent >= 0) {
      timeline_.send(time, tree_.node.parent, children.empty() ? own : segment);
    }
  }

  /// Segment i leaves the root at time height + i and depth d at time height + d + i.
  void write_down(int index, Slice segment) {
    const int time = height_ + tree_.depth + index;
    if (tree_.node.parent >= 0) timeline_.receive(time - 1, tree_.node.parent, segment);
    for (const int child : tree_.node.children) timeline_.send(time, child, segment);
  }

  Timeline& timeline_;
  DoubleTreeNode tree_;
  int height_;
  bool in_place_;
  std::vector<Slice> segments_;
  std::vector<Slice> landings_;  ///< Per child, used again for each segment.
};

Schedule make(const Shape& shape, const Parameters& given) {
  ScheduleBuilder builder;
  if (shape.ranks == 1) {
    if (!shape.in_place) {
      builder.copy({Buffer::input, 0, shape.count}, {Buffer::output, 0, shape.count});
    }
    return builder.finish();
  }
  Timeline timeline;
  for (const bool second : {false, true}) {
    HalfTree(timeline, shape, second, segments_of(shape, given)).write(builder);
  }
  timeline.write(builder);
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters& given) {
  const Shape& shape = shapes.front();
  if (shape.ranks == 1) return {0, 0, any_ports};
  const int height = double_tree_depth(shape.ranks);
  return {as_size(2 * height + segments_of(shape, given) - 1),
          2 * as_size(shape.ranks - 1) * shape.count, any_ports};
}

}  // namespace

extern const AlgorithmDescriptor double_binary_tree = {
    Collective::allreduce,
    "double_binary_tree",
    "Each half of the vector is reduced up and broadcast down its own binary tree, in segments "
    "(Sanders, Speck and Traff 2009).",
    needs_commutative,
    parameters,
    make,
    "rounds: 2 ceil(log2 p) + s - 1 with enough ports; elements: 2 (p - 1) n; s = segments of a "
    "half",
    cost};

}  // namespace tasuki::coll::allreduce
