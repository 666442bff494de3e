// Phases along trees: broadcast, reduce, gather and scatter, for use inside algorithms.
//
// Thread-safety: none; used by one algorithm while it builds one schedule.
#pragma once

#include <cstddef>

#include <tasuki/detail/coll/schedule_builder.hpp>
#include <tasuki/detail/coll/shape.hpp>

#include "coll/patterns/tree.hpp"
#include "coll/phases/accumulator.hpp"
#include "coll/phases/blocks.hpp"

namespace tasuki::coll {

/// How many segments of `segment_bytes` (0: do not cut) the elements make; at least 1.
int segments_count(std::size_t count, std::size_t element_bytes, std::size_t segment_bytes);

/// `data` travels from the root down, cut into `segments` that follow each other: while one is
/// received, the one before it is sent on.
void broadcast_along(ScheduleBuilder& builder, const TreeNode& node, Slice data, int segments = 1);

/// The values of a k-nomial tree rooted at rank 0 are combined in rank order; the root's ends at
/// home.
void knomial_reduce(Accumulator& accumulator, const TreeNode& node);

/// The blocks of a k-nomial subtree travel up. `own` is this rank's block; `all` are the blocks of
/// all ranks in the root's buffer.
void knomial_gather(ScheduleBuilder& builder, const Shape& shape, int radix, Slice own,
                    const Blocks& all);

/// The reverse: from the root's `all` to each rank's `own`.
void knomial_scatter(ScheduleBuilder& builder, const Shape& shape, int radix, const Blocks& all,
                     Slice own);

/// Elements that all ranks together send in a k-nomial gather or scatter of `count` each.
std::size_t knomial_gather_elements(int ranks, int radix, std::size_t count);

}  // namespace tasuki::coll
