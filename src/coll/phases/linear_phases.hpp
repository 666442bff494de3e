// Phases in which one rank deals with all others directly.
//
// Thread-safety: none; used by one algorithm while it builds one schedule.
#pragma once

#include "coll/phases/accumulator.hpp"
#include "coll/phases/blocks.hpp"

namespace tasuki::coll {

/// All ranks' values are combined at `root`, where they end at home.
void linear_reduce(Accumulator& accumulator, int ranks, int rank, int root);

/// Each rank combines its block of all ranks' values, in rank order, into `result`. `own` are the
/// blocks of the own value.
void linear_reduce_scatter(ScheduleBuilder& builder, int ranks, int rank, const Blocks& own,
                           Slice result);

/// `data` goes from `root` to everybody.
void linear_broadcast(ScheduleBuilder& builder, int ranks, int rank, int root, Slice data);

}  // namespace tasuki::coll
