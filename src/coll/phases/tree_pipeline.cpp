#include "coll/phases/tree_pipeline.hpp"

#include "coll/patterns/partition.hpp"

namespace tasuki::coll {
namespace {

/// `segments` parts of a slice.
std::vector<Slice> cut(const Slice& slice, int segments) {
  const Partition parts(slice.count, segments);
  std::vector<Slice> result;
  for (int i = 0; i < segments; ++i) {
    result.push_back(slice.part(parts.offset(i), parts.count(i)));
  }
  return result;
}

/// Where a rank keeps a segment while it combines: at home, or, as it only passes it on, in one
/// of two places that take turns.
std::vector<Slice> working_places(ScheduleBuilder& builder, const TreeNode& node,
                                  const std::vector<Slice>& homes) {
  if (node.parent < 0) return homes;
  if (node.children.empty()) return {};
  const std::size_t longest = homes.front().count;
  const Slice even = builder.scratch(longest);
  const Slice odd = homes.size() > 1 ? builder.scratch(longest) : even;
  std::vector<Slice> places;
  for (std::size_t i = 0; i < homes.size(); ++i) {
    places.push_back((i % 2 == 0 ? even : odd).part(0, homes[i].count));
  }
  return places;
}

/// Where the tree of a reduce is rooted.
int tree_root(const Shape& shape, bool keeps_order) {
  return shape.commutative || keeps_order ? shape.root : 0;
}

}  // namespace

void pipeline_down(Timeline& timeline, const TreeNode& node, const Slice& data, int segments,
                   int start) {
  int time = start + node.depth;
  for (const Slice& segment : cut(data, segments)) {
    if (node.parent >= 0) timeline.receive(time - 1, node.parent, segment);
    for (const int child : node.children) timeline.send(time, child, segment);
    ++time;
  }
}

void pipeline_up(ScheduleBuilder& builder, Timeline& timeline, const TreeNode& node,
                 const Slice& own, const Slice& home, bool in_place, int segments) {
  const auto& children = node.children;
  const bool starts_in_place = in_place && node.parent < 0;
  const std::vector<Slice> owns = cut(own, segments);
  const std::vector<Slice> places = working_places(builder, node, cut(home, segments));
  std::vector<Slice> posted_receives;
  for (std::size_t child = starts_in_place ? 0 : 1; child < children.size(); ++child) {
    posted_receives.push_back(builder.scratch(owns.front().count));
  }
  for (std::size_t i = 0; i < owns.size(); ++i) {
    const int time = node.height - node.depth + static_cast<int>(i);
    const Slice value = children.empty() ? owns[i] : places[i];
    auto posted_receive = posted_receives.begin();
    for (std::size_t child = 0; child < children.size(); ++child) {
      const bool is_left = static_cast<int>(child) < node.left_count;
      // The first to arrive lands in the place itself, and the own value is added to it. Left
      // operands come nearest first, so each belongs left of all that is there already.
      const bool in_value = child == 0 && !starts_in_place;
      const Slice arrived = in_value ? value : (posted_receive++)->part(0, value.count);
      timeline.receive(time - 1, children[child], arrived);
      timeline.local(time - 1, is_left == in_value ? LocalKind::reduce_right : LocalKind::reduce,
                     in_value ? owns[i] : arrived, value);
    }
    if (node.parent >= 0) timeline.send(time, node.parent, value);
  }
}

void write_broadcast(ScheduleBuilder& builder, const Shape& shape, const Parameters& given,
                     Tree tree) {
  Timeline timeline;
  pipeline_down(timeline, tree(shape, shape.root, given), {Buffer::output, 0, shape.count},
                segments_of(shape.count, shape, given));
  timeline.write(builder);
}

void write_reduce(ScheduleBuilder& builder, const Shape& shape, const Parameters& given, Tree tree,
                  bool keeps_order) {
  const bool is_root = shape.rank == shape.root;
  const bool in_place = is_root && shape.in_place;
  const Slice own{in_place ? Buffer::output : Buffer::input, 0, shape.count};
  const int head = tree_root(shape, keeps_order);
  const bool detour = head != shape.root;
  Slice home{Buffer::output, 0, shape.count};
  // Only the head of the tree combines at home; with a detour that is not the root.
  if (detour && shape.rank == head) home = builder.scratch(shape.count);
  if (shape.ranks == 1) {
    if (!in_place) builder.copy(own, home);
    return;
  }
  Timeline timeline;
  pipeline_up(builder, timeline, tree(shape, head, given), own, home, in_place,
              segments_of(shape.count, shape, given));
  timeline.write(builder);
  if (detour && shape.rank == head) builder.send(shape.root, home);
  if (detour && is_root) builder.receive(head, home);
}

Cost pipeline_cost(const Shape& shape, const Parameters& given, Tree tree, bool keeps_order,
                   std::size_t ports) {
  if (shape.ranks == 1) return {0, 0, ports};
  const int head = tree_root(shape, keeps_order);
  const int detour = head != shape.root ? 1 : 0;
  const int height = tree(shape, head, given).height;
  return {as_size(height + segments_of(shape.count, shape, given) - 1 + detour),
          as_size(shape.ranks - 1 + detour) * shape.count, ports};
}

}  // namespace tasuki::coll
