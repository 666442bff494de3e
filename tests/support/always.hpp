// A policy for tests under which one algorithm does all that it can; the default policy does the
// rest. Thread-safety: pure functions.
#pragma once

#include <tasuki/detail/coll/policy.hpp>

namespace tasuki::test {

inline coll::Policy always(const coll::AlgorithmDescriptor& algorithm) {
  return coll::before_default_policy(
      {{algorithm.collective, coll::any_ranks, coll::any_bytes, algorithm.name, "", "test"}});
}

}  // namespace tasuki::test
