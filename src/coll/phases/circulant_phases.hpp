// Phases on circulant graphs: ceil(log2 p) rounds for any p (Traff 2024).
//
// Distances come from halving p, rounding up, down to 1. A rank deals with runs of blocks that
// begin with its own; what wraps around the last rank is packed on the way.
// Thread-safety: none; used by one algorithm while it builds one schedule.
#pragma once

#include <vector>

#include "coll/patterns/circle.hpp"
#include "coll/phases/blocks.hpp"

namespace tasuki::coll {

/// p, ceil(p / 2), ceil(p / 4), ..., 1.
std::vector<int> circulant_distances(int ranks);

/// Afterwards each rank has the whole result of its self block at `home`. `own` are the blocks of
/// its value; in place they are those of `home`. The operator must commute.
void circulant_reduce_scatter(ScheduleBuilder& builder, int ranks, int rank, const Blocks& own,
                              const Blocks& home, bool in_place);

/// The block of each number (in its place in `all`) reaches everybody.
void circulant_allgather(ScheduleBuilder& builder, const Circle& circle, const Blocks& all);

}  // namespace tasuki::coll
