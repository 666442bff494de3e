// What the runtime takes of memory in a rank, by structure, beside its transport.
//
// Asked by `tasuki info --memory`, for any number of ranks and for a job that runs
// (docs/design/scale.md). Thread-safety: the rank's own thread.
#pragma once

#include <tasuki/detail/base/memory_account.hpp>
#include <tasuki/detail/runtime/calls/rank.hpp>
#include <vector>

namespace tasuki::runtime {

/// Of what grows with the ranks of the job, or with those that the rank has to do with.
std::vector<base::MemoryAccount> memory_accounts();

/// What this rank takes now, in the same order.
std::vector<base::MemoryUse> memory_uses(const Rank& self);

}  // namespace tasuki::runtime
