// The list of all algorithms: those of this layer, and the tables that higher layers bring.
//
// Used by policies, the tuner, `tasuki explain`, the tests. What is in the table of a layer stands
// in its CMakeLists.txt (tasuki_algorithms). Thread-safety: add_algorithms comes before all else;
// the rest are constant data.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include <tasuki/detail/coll/algorithm.hpp>
#include <tasuki/detail/coll/policy.hpp>

namespace tasuki::coll {

/// What a higher layer brings.
struct AlgorithmTable {
  std::span<const AlgorithmDescriptor* const> algorithms;
  /// Rows for the built-in policy; they come before those for messages.
  std::vector<PolicyRow> (*rows)();
};

/// Adds the table, which may be there already. Requires: `default_policy` was not asked for before.
void add_algorithms(const AlgorithmTable& table);

/// All algorithms, grouped by collective in the order of the enumeration.
std::span<const AlgorithmDescriptor* const> all_algorithms();

/// Those that are carried by `medium`.
std::vector<const AlgorithmDescriptor*> algorithms_on(Medium medium);

/// Those of one collective.
std::vector<const AlgorithmDescriptor*> algorithms_of(Collective collective);

/// Throws tasuki::error naming the algorithms there are if the collective has none of this name.
const AlgorithmDescriptor& algorithm_named(Collective collective, std::string_view name);

}  // namespace tasuki::coll
