// An allgather is a phase that starts when each rank has its self block in its place.
//
// Rings, Bruck's and circulant phases, which others use too, are in files of their own.
// Thread-safety: none; used by one algorithm while it builds one schedule.
#pragma once

#include "coll/patterns/circle.hpp"
#include "coll/phases/blocks.hpp"
#include "coll/shared_costs.hpp"

namespace tasuki::coll {

/// A rank's self block is in its place in `all` before, and all blocks are after.
using AllgatherPhase = void (*)(ScheduleBuilder& builder, const Circle& circle, const Blocks& all);

/// Everybody sends its block to everybody, in one round.
void linear_allgather(ScheduleBuilder& builder, const Circle& circle, const Blocks& all);

/// allgather or allgatherv: puts the self block in its place, in a round by itself, then the phase.
void write_allgather(ScheduleBuilder& builder, const Shape& shape, AllgatherPhase phase);

template <AllgatherPhase phase>
void allgather_by(ScheduleBuilder& builder, const Shape& shape, const Parameters&) {
  write_allgather(builder, shape, phase);
}

}  // namespace tasuki::coll
