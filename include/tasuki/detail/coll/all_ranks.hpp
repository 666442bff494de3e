// The schedules of all ranks of a collective, made in one process.
//
// Used by the simulator's callers, `tasuki explain` and the tests, where no network is at hand:
// sizes that ranks would exchange first are found out here. Thread-safety: pure functions.
#pragma once

#include <span>
#include <vector>

#include <tasuki/detail/coll/algorithm.hpp>

namespace tasuki::coll {

/// `shapes` are those of all ranks in order. Throws as make_schedule does. Requires: they are of
/// one call, so that all ranks exchange as much as the others expect.
std::vector<Schedule> make_schedules(const AlgorithmDescriptor& algorithm,
                                     std::span<const Shape> shapes, const Parameters& given = {});

}  // namespace tasuki::coll
