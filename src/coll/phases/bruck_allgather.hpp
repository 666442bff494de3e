// Bruck's phases: allgather by growing runs of blocks, at distances that grow by a radix.
//
// Thread-safety: none; used by one algorithm while it builds one schedule.
#pragma once

#include "coll/patterns/bruck_hops.hpp"
#include "coll/phases/blocks.hpp"

namespace tasuki::coll {

/// Each rank's block (in its place in `all`) reaches everybody (Bruck et al. 1997). Blocks stay
/// at their final places throughout; what wraps around the last rank is packed on the way.
void bruck_allgather(ScheduleBuilder& builder, int ranks, int rank, int radix, const Blocks& all);

}  // namespace tasuki::coll
