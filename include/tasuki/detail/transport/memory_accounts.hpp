// What each transport takes of memory in a rank, by structure.
//
// Asked by `tasuki info --memory`, for any number of ranks and for a job that runs. What a library
// (an MPI, UCX) takes for itself is not in it.
// Thread-safety: the rank's own thread.
#pragma once

#include <string_view>
#include <vector>

#include <tasuki/detail/base/memory_account.hpp>
#include <tasuki/detail/transport/transport.hpp>

namespace tasuki::transport {

/// Of the transport with this name; empty if this build does not have it.
std::vector<base::MemoryAccount> memory_accounts(std::string_view transport);

/// What this rank takes now. Requires: the transport has started.
std::vector<base::MemoryUse> memory_uses(const Transport& transport);

}  // namespace tasuki::transport
