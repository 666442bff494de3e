// Butterfly phases over a vector: fold to a power of two, halve and reduce, double and gather.
//
// Used by the allreduces, the reduces and the reduce-scatters. Each rank computes each block in
// the same tree of operations, so that results are the same bits wherever they end.
// Thread-safety: none; used by one algorithm while it builds one schedule.
#pragma once

#include <cstddef>
#include <functional>

#include <tasuki/coll/schedule_builder.hpp>
#include <tasuki/coll/shape.hpp>

#include "coll/patterns/fold.hpp"
#include "coll/phases/accumulator.hpp"
#include "coll/phases/blocks.hpp"

namespace tasuki::coll {

/// Where each part of the vector starts: elements before part `index`, which may be the number of
/// parts.
using PartOffset = std::function<std::size_t(int index)>;

/// Combines each group of the fold at its leader. Returns: does this rank go on?
bool fold_in(Accumulator& accumulator, const Fold& fold, int rank);

/// The leaders hand the result (at home) back to their groups.
void fold_out(ScheduleBuilder& builder, Accumulator& accumulator, const Fold& fold, int rank);

/// Which of the parts a group is responsible for after `recursive_halving`: bits mirrored.
int mirrored(int group, int groups);

/// Recursive halving of the vector at doubling distance (operators need not commute): afterwards
/// group g has the whole result of part mirrored(g, groups) at home.
/// Requires: groups is a power of two.
void recursive_halving(Accumulator& accumulator, const Fold& fold, int rank,
                       const PartOffset& parts);

/// The reverse: every group gets the parts of all others, at home.
void recursive_doubling_gather(ScheduleBuilder& builder, Slice home, const Fold& fold, int rank,
                               const PartOffset& parts);

/// Each rank's block of the sum of all inputs ends in its `result`. `blocks` are those of the
/// input; `total` is the sum of their counts.
void butterfly_reduce_scatter(ScheduleBuilder& builder, const Shape& shape, const Blocks& blocks,
                              std::size_t total, Slice result);

}  // namespace tasuki::coll
