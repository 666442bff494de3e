// Phases around the ring of ranks.
//
// Thread-safety: none; used by one algorithm while it builds one schedule.
#pragma once

#include "coll/patterns/circle.hpp"
#include "coll/phases/blocks.hpp"

namespace tasuki::coll {

/// The block of each number (in its place in `all`) goes round until everybody has it: p - 1
/// rounds.
void ring_allgather(ScheduleBuilder& builder, const Circle& circle, const Blocks& all);

/// The value of an accumulator cut into blocks goes round while each rank adds its own: afterwards
/// number i has the whole result of block i at home: p - 1 rounds. Operands are combined in the
/// order of the ring, which begins elsewhere for each block: the operator must commute. `own` and
/// `home` are the blocks of the value and of its home, the same if in place.
void ring_reduce_scatter(ScheduleBuilder& builder, const Circle& circle, const Blocks& own,
                         const Blocks& home, bool in_place);

}  // namespace tasuki::coll
