// Finding the ranks of the own node over MPI, and the memory file they share.
//
// Used by the mpi transport at start. Collective over the job. Thread-safety: none.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <tasuki/detail/base/job_programs.hpp>

#include "transport/mpi/functions.hpp"
#include "transport/shm/shm_node.hpp"

namespace tasuki::transport::mpi {

/// What each rank tells all others when the job starts.
struct Introduction {
  std::uint64_t node = 0;  ///< The same for ranks that may share memory.
  base::ProgramIdentity program;
};

/// Collective. Returns: the introductions of all ranks. Throws tasuki::error: MPI, or ranks of
/// different builds.
std::vector<Introduction> introduce(const Functions& functions, const Job& job);

/// Collective. Shares one memory file among the ranks of each node that has more than one. Returns:
/// nothing where that is not possible (then all ranks of the node get nothing, and the
/// first says why). Throws tasuki::error (MPI).
std::optional<shm::ShmNode::Place> share_node_memory(const Functions& functions, const Job& job,
                                                     const std::vector<Introduction>& all);

}  // namespace tasuki::transport::mpi
