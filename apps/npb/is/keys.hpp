// The keys of NPB IS: pseudo-random integers that crowd around the middle of their range.
//
// Each key is a quarter of the key range times the sum of four random numbers (Bailey et al., The
// NAS Parallel Benchmarks, RNR-94-007, 1994, section 2.3.6). Thread-safety: pure functions.
#pragma once

#include <span>

#include "common/huge_array.hpp"
#include "common/partition.hpp"
#include "npb/is/problem.hpp"

namespace tasuki::npb::is {

/// The keys at `places` of the whole set: the same on any number of ranks.
HugeArray<Key> generate_keys(const Problem& problem, Range places);

/// Changes the two keys of the whole set that change before `iteration`, if they are among these.
void change_keys(const Problem& problem, Range places, int iteration, std::span<Key> keys);

/// Moves one key to the other end of the range, if it is among these: all verification must fail.
void perturb_keys(const Problem& problem, Range places, std::span<Key> keys);

}  // namespace tasuki::npb::is
