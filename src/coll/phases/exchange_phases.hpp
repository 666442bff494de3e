// Phases in which every rank has something for every other.
//
// Thread-safety: none; used by one algorithm while it builds one schedule.
#pragma once

#include <tasuki/coll/schedule_builder.hpp>

#include "coll/phases/blocks.hpp"

namespace tasuki::coll {

/// Block i of `from` goes to rank i, and block i of `to` comes from there; a rank's own block is
/// copied. Ranks `batch` further ahead and behind are dealt with per round: 1 is the pairwise
/// exchange, p - 1 sends everything at once. Requires: batch >= 1.
void exchange_in_batches(ScheduleBuilder& builder, int ranks, int rank, const Blocks& from,
                         const Blocks& to, int batch);

}  // namespace tasuki::coll
