// The one list of all algorithms.
//
// Used by policies, the tuner, `tasuki explain`, the tests.
// Thread-safety: constant data.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include <tasuki/coll/algorithm.hpp>

namespace tasuki::coll {

/// All algorithms, grouped by collective in the order of the enumeration.
std::span<const AlgorithmDescriptor* const> all_algorithms() noexcept;

/// Those that are carried by `medium`.
std::vector<const AlgorithmDescriptor*> algorithms_on(Medium medium);

/// Those of one collective.
std::vector<const AlgorithmDescriptor*> algorithms_of(Collective collective);

/// Throws tasuki::error naming the algorithms there are if the collective has none of this name.
const AlgorithmDescriptor& algorithm_named(Collective collective, std::string_view name);

}  // namespace tasuki::coll
