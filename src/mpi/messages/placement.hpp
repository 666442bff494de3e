// Where the ranks of a communicator are, as the MPI library says (MPI_COMM_TYPE_SHARED).
//
// The executor and the tuned collectives ask it, so that algorithms which know nodes can be used.
//
// Thread-safety: none; one thread per communicator.
#pragma once

#include <mpi.h>
#include <tasuki/detail/coll/placement.hpp>

#include <memory>

namespace tasuki::mpi {

/// Collective over `communicator`, which returns errors. Returns: nullptr if all ranks are on one
/// node. Throws tasuki::error: MPI's; on all ranks if they do not agree on the groups of nodes.
std::unique_ptr<const coll::Placement> find_placement(MPI_Comm communicator);

}  // namespace tasuki::mpi
