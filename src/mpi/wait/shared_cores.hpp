// Whether the ranks of a node are more than the cores that they may run on.
//
// The waiting asks once, after MPI_Init. It goes by the affinity masks of all ranks of the node,
// as launchers bind ranks in many ways.
//
// Thread-safety: a pure function.
#pragma once

#include <sched.h>

#include <vector>

namespace tasuki::mpi::wait {

/// `masks`: the cores of each rank of a node. Is there a rank whose cores are those of more ranks
/// than there are cores?
bool are_crowded(const std::vector<cpu_set_t>& masks);

}  // namespace tasuki::mpi::wait
