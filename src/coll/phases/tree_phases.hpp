// Phases along trees, of whole vectors: pipelines (tree_pipeline.hpp) cut them into segments.
//
// Thread-safety: none; used by one algorithm while it builds one schedule.
#pragma once

#include "coll/patterns/tree.hpp"
#include "coll/phases/accumulator.hpp"

namespace tasuki::coll {

/// `data` travels from the root down.
void send_down(ScheduleBuilder& builder, const TreeNode& node, Slice data);

/// The values of a k-nomial tree rooted at rank 0 are combined in rank order; the root's ends at
/// home.
void knomial_reduce(Accumulator& accumulator, const TreeNode& node);

}  // namespace tasuki::coll
