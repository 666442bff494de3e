// The width of a bucket for delta-stepping.
//
// Called where the problem is set up (node.hpp). Thread-safety: pure functions.
#pragma once

#include "sssp/local_graph.hpp"

namespace tasuki::sssp {

/// A width that suits the graph; at least least_delta.
Weight default_delta(const GraphSummary& summary) noexcept;

/// The least width that does not make too many buckets.
Weight least_delta(const GraphSummary& summary) noexcept;

}  // namespace tasuki::sssp
