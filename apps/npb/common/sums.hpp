// Sums over all ranks, as kernels ask for them, be they made by Tasuki, by an MPI or by a test.
//
// Called by the kernels' nodes. Thread-safety: one object per rank; collective.
#pragma once

#include <span>

namespace tasuki::npb {

template <class S>
concept Sums = requires(S all, std::span<double> values) {
  /// In place.
  all.sum(values);
};

}  // namespace tasuki::npb
