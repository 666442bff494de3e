// The built-in policy for the collectives in the memory of a node.
//
// Where staging ends and single copies begin depends on what a copy by the kernel costs, so there
// are rows for families of processors. They were measured at 2, 3, 4 and 8 ranks on 2 cores, all
// algorithms at all sizes in turn (docs/design/collectives-in-memory.md). Called once, by
// register_algorithms. Thread-safety: pure functions.
#pragma once

#include <tasuki/detail/coll/policy.hpp>
#include <vector>

#include "base/processor.hpp"

namespace tasuki::node {

/// The rows for ranks on such a processor; the first that applies counts.
std::vector<coll::PolicyRow> policy_rows(base::Processor processor);

}  // namespace tasuki::node
