// The reduce-scatters with a phase of their own.
//
// Of blocks of one size and of blocks whose sizes differ, as the shape says.
// Thread-safety: none; used by one algorithm while it builds one schedule.
#pragma once

#include <cstddef>

#include <tasuki/detail/coll/schedule_builder.hpp>
#include <tasuki/detail/coll/shape.hpp>

#include "coll/phases/blocks.hpp"

namespace tasuki::coll {

/// A binomial reduce to rank 0, which sends everybody its block.
void reduce_then_scatter(ScheduleBuilder& builder, const Shape& shape);

/// Recursive halving at halving distance, after folding (Thakur, Rabenseifner and Gropp 2005). The
/// operator must commute.
void halving_reduce_scatter(ScheduleBuilder& builder, const Shape& shape);

/// Everybody sends everybody its block, one after the other. The operator must commute.
void pairwise_reduce_scatter(ScheduleBuilder& builder, const Shape& shape);

/// Partial results of blocks go round the ring. The operator must commute.
void around_reduce_scatter(ScheduleBuilder& builder, const Shape& shape);

/// On a circulant graph (Traff 2024). The operator must commute.
void short_reduce_scatter(ScheduleBuilder& builder, const Shape& shape);

}  // namespace tasuki::coll
