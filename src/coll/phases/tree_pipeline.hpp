// Pipelines along trees: segments of a vector follow each other down or up.
//
// A rank at depth d of a tree of height h has its place in a common time: going down it gets
// segment i at time d - 1 + i; going up it hands segment i on at time h - d + i. A tree alone makes
// a broadcast (`broadcast_along`) and a reduce (`reduce_along`).
// Thread-safety: none; used by one algorithm while it builds one schedule.
#pragma once

#include <tasuki/detail/coll/algorithm.hpp>

#include "coll/patterns/tree.hpp"
#include "coll/phases/timeline.hpp"
#include "coll/shared_parameters.hpp"

namespace tasuki::coll {

/// `data` goes from the root to everybody; the first segment leaves the root at time `start`.
void pipeline_down(Timeline& timeline, const TreeNode& node, const Slice& data, int segments,
                   int start = 0);

/// Values are combined on the way up; the root's ends at `home`, which is not touched elsewhere.
/// `in_place` says that `own` and `home` are the same memory. The last segment reaches the root at
/// time height + segments - 2.
void pipeline_up(ScheduleBuilder& builder, Timeline& timeline, const TreeNode& node,
                 const Slice& own, const Slice& home, bool in_place, int segments);

/// The rank's place in a tree with that root. Uses ranks and rank of the shape.
using Tree = TreeNode (*)(const Shape& shape, int root, const Parameters& given);

void write_broadcast(ScheduleBuilder& builder, const Shape& shape, const Parameters& given,
                     Tree tree);
/// `keeps_order`: are operands combined in rank order whatever the root? Else, if the operator does
/// not commute, the tree is rooted at rank 0, and the result goes from there to the root.
void write_reduce(ScheduleBuilder& builder, const Shape& shape, const Parameters& given, Tree tree,
                  bool keeps_order);
/// Of such a reduce; of a broadcast too, with `keeps_order`: height + segments - 1 rounds if a rank
/// has so many ports, and (p - 1) n elements. The way by rank 0 is one hop more.
Cost pipeline_cost(const Shape& shape, const Parameters& given, Tree tree, bool keeps_order,
                   std::size_t ports);

template <Tree tree, std::size_t ports = any_ports>
inline constexpr BySchedule broadcast_along{
    [](ScheduleBuilder& builder, const Shape& shape, const Parameters& given) {
      write_broadcast(builder, shape, given, tree);
    },
    [](std::span<const Shape> shapes, const Parameters& given) {
      return pipeline_cost(shapes.front(), given, tree, true, ports);
    }};

template <Tree tree, std::size_t ports = any_ports, bool keeps_order = false>
inline constexpr BySchedule reduce_along{
    [](ScheduleBuilder& builder, const Shape& shape, const Parameters& given) {
      write_reduce(builder, shape, given, tree, keeps_order);
    },
    [](std::span<const Shape> shapes, const Parameters& given) {
      return pipeline_cost(shapes.front(), given, tree, keeps_order, ports);
    }};

}  // namespace tasuki::coll
