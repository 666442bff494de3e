// The policy of a job: what TASUKI_TUNED names, read by one rank for all.
//
// Tuning reads it in MPI_Init.
//
// Thread-safety: none; the rank's own thread.
#pragma once

#include "mpi/collectives/program_policy.hpp"

#include <optional>
#include <string>

namespace tasuki::mpi::collectives {

/// What `wanted`, the value of TASUKI_TUNED, names: `default`, `auto` (the file that was measured
/// of this MPI library on this machine, if it is there), `asked`, or a file. Nothing, and a message
/// from rank 0, where a file is named that is not for this machine and library. Collective over
/// MPI_COMM_WORLD.
std::optional<ProgramPolicy> read_job_policy(const std::string& wanted, int rank);

}  // namespace tasuki::mpi::collectives
