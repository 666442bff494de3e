// The ranks that processes of a group have in MPI_COMM_WORLD.
//
// The tuned collectives ask whether a communicator is of this job alone, the shim whom the program
// talks to.
//
// Thread-safety: any thread.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

namespace tasuki::mpi::collectives {

/// A program that uses sessions alone has no MPI_COMM_WORLD.
bool has_world() noexcept;

/// Where there is no MPI_COMM_WORLD, the ranks in the group itself. Processes of another world, as
/// after MPI_Comm_spawn, have events::no_rank.
std::vector<std::int32_t> world_ranks_of(MPI_Group group);

}  // namespace tasuki::mpi::collectives
