// Phases around the ring of ranks.
//
// Thread-safety: none; used by one algorithm while it builds one schedule.
#pragma once

#include <tasuki/detail/coll/schedule_builder.hpp>

#include "coll/patterns/circle.hpp"
#include "coll/phases/blocks.hpp"

namespace tasuki::coll {

/// Each rank's block (in its place in `all`) goes round until everybody has it: p - 1 rounds.
/// Number i begins with block i + `shift`.
void ring_allgather(ScheduleBuilder& builder, const Circle& circle, const Blocks& all,
                    int shift = 0);

/// The value of an accumulator cut into blocks goes round while each rank adds its own: afterwards
/// rank r has the whole result of block r + `shift` at home: p - 1 rounds. Operands are combined in
/// the order of the ring, which begins elsewhere for each block: the operator must commute. `own`
/// and `home` are the blocks of the value and of its home, the same if in place.
void ring_reduce_scatter(ScheduleBuilder& builder, int ranks, int rank, const Blocks& own,
                         const Blocks& home, bool in_place, int shift);

}  // namespace tasuki::coll
