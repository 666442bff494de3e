// Bruck's phases: allgather by growing runs of blocks, at distances that grow by a radix.
//
// Thread-safety: none; used by one algorithm while it builds one schedule.
#pragma once

#include <functional>

#include "coll/phases/blocks.hpp"

namespace tasuki::coll {

/// Calls `visit(hop, run, starts_phase)` for each message of a rank: it gets the `run` blocks that
/// start `hop` ranks ahead. Hops that start a phase need those of the phases before.
void for_each_bruck_hop(int ranks, int radix,
                        const std::function<void(int hop, int run, bool starts_phase)>& visit);

/// Each rank's block (in its place in `all`) reaches everybody (Bruck et al. 1997). Blocks stay
/// at their final places throughout; what wraps around the last rank is packed on the way.
void bruck_allgather(ScheduleBuilder& builder, int ranks, int rank, int radix, const Blocks& all);

}  // namespace tasuki::coll
