// The host of another rank, without a word from that rank.
//
// MPI has no function for that; PMIx has, by which Open MPI and Slurm start ranks.
//
// Thread-safety: as PMIx, any thread.
#pragma once

#include <string>

namespace tasuki::mpi::wait {

/// Of a rank of MPI_COMM_WORLD; "" where there is no PMIx, or it does not know.
std::string host_of_rank(int rank);

}  // namespace tasuki::mpi::wait
