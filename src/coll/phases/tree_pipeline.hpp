// Pipelines along trees: segments of a vector follow each other down or up.
//
// A rank at depth d of a tree of height h has its place in a common time: going down it gets
// segment i at time d - 1 + i; going up it hands segment i on at time h - d + i.
// Thread-safety: none; used by one algorithm while it builds one schedule.
#pragma once

#include <vector>

#include <tasuki/detail/coll/schedule_builder.hpp>

#include "coll/patterns/tree.hpp"
#include "coll/phases/timeline.hpp"

namespace tasuki::coll {

/// A rank's place in a tree, for the sake of timing.
struct TreePlace {
  TreeNode node;
  int depth = 0;
  int height = 0;      ///< The largest depth of any rank.
  int left_count = 0;  ///< So many children, the first ones, are operands left of the own one.
};

/// `segments` parts of a slice.
std::vector<Slice> cut(const Slice& slice, int segments);

/// `data` goes from the root to everybody; the first segment leaves the root at time `start`.
void pipeline_down(Timeline& timeline, const TreePlace& place, const Slice& data, int segments,
                   int start = 0);

/// Values are combined on the way up; the root's ends at `home`, which is not touched elsewhere.
/// `in_place` says that `own` and `home` are the same memory. The last segment reaches the root at
/// time height + segments - 2.
void pipeline_up(ScheduleBuilder& builder, Timeline& timeline, const TreePlace& place,
                 const Slice& own, const Slice& home, bool in_place, int segments);

}  // namespace tasuki::coll
