// Phases around the ring of ranks.
//
// Thread-safety: none; used by one algorithm while it builds one schedule.
#pragma once

#include <tasuki/coll/schedule_builder.hpp>

#include "coll/phases/blocks.hpp"

namespace tasuki::coll {

/// Each rank's block (in its place in `all`) goes round until everybody has it: p - 1 rounds.
/// Block index of rank r is r + `shift`.
void ring_allgather(ScheduleBuilder& builder, int ranks, int rank, const Blocks& all,
                    int shift = 0);

}  // namespace tasuki::coll
