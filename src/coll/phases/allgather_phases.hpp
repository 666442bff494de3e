// The allgathers with a phase of their own; rings, Bruck's and circulant ones are elsewhere.
//
// In all of them a rank's self block is in its place in `all` before, and all blocks are after.
// Thread-safety: none; used by one algorithm while it builds one schedule.
#pragma once

#include <cstddef>

#include <tasuki/detail/coll/schedule_builder.hpp>

#include "coll/phases/blocks.hpp"

namespace tasuki::coll {

/// Puts the self block, which is the whole input, in its place, in a round by itself.
void place_self_block(ScheduleBuilder& builder, int rank, const Blocks& all);

/// Everybody sends its block to everybody, in one round.
void linear_allgather(ScheduleBuilder& builder, int ranks, int rank, const Blocks& all);

/// Runs of blocks that double are exchanged. Requires: ranks is a power of two.
void recursive_doubling_allgather(ScheduleBuilder& builder, int ranks, int rank, const Blocks& all);

/// Pairs of blocks are exchanged with the two neighbours alternately (Chen, Yuan, Chen and Shen
/// 2005): p / 2 rounds. Requires: an even number of ranks.
void neighbor_exchange_allgather(ScheduleBuilder& builder, int ranks, int rank, const Blocks& all);

/// Each block goes down a binomial tree rooted at its owner, all at once and at halving distances,
/// each block as a message of its own (Loch and Koslovski 2021).
void sparbit_allgather(ScheduleBuilder& builder, int ranks, int rank, const Blocks& all);

}  // namespace tasuki::coll
