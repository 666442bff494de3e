// Butterfly phases over a vector: fold to a power of the radix, split and reduce, join and gather.
//
// Used by the allreduces, the reduces and the reduce-scatters. Each rank computes each block in
// the same tree of operations, so that results are the same bits wherever they end.
// Thread-safety: none; used by one algorithm while it builds one schedule.
#pragma once

#include <functional>

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

/// Whole vectors exchanged within teams of `radix` groups at distances growing by the radix.
void recursive_multiplying(Accumulator& accumulator, const Fold& fold, int rank, int radix);

/// Which of the parts a group is responsible for after `recursive_splitting`: its digits mirrored.
int mirrored(int group, int groups, int radix = 2);

/// Recursive splitting of the vector at growing distance (operators need not commute): afterwards
/// group g has the whole result of part mirrored(g, groups) at home. Radix 2: recursive halving.
/// Requires: groups is a power of the radix.
void recursive_splitting(Accumulator& accumulator, const Fold& fold, int rank, int radix,
                         const PartOffset& parts);

/// The reverse: every group gets the parts of all others, at home. Radix 2: recursive doubling.
void recursive_joining(ScheduleBuilder& builder, Slice home, const Fold& fold, int rank, int radix,
                       const PartOffset& parts);

/// After recursive splitting with radix 2: group `head` gets the parts of all others, at home.
void joining_at(ScheduleBuilder& builder, Slice home, const Fold& fold, int rank, int head,
                const PartOffset& parts);

/// Elements that all groups together send for it.
std::size_t joining_at_elements(const Fold& fold, int head, const PartOffset& parts);

}  // namespace tasuki::coll
