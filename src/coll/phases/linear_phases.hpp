// Phases in which one rank deals with all others directly.
//
// Thread-safety: none; used by one algorithm while it builds one schedule.
#pragma once

#include <tasuki/coll/schedule_builder.hpp>

#include "coll/phases/accumulator.hpp"

namespace tasuki::coll {

/// All ranks' values are combined at `root`, where they end at home.
void linear_reduce(Accumulator& accumulator, int ranks, int rank, int root);

/// `data` goes from `root` to everybody.
void linear_broadcast(ScheduleBuilder& builder, int ranks, int rank, int root, Slice data);

}  // namespace tasuki::coll
