// The end of a job, by a rank that cannot go on in a program that nobody recompiled.
//
// What is preloaded into the program has nobody to throw to: the caller is the program, which knows
// MPI's errors alone.
//
// Thread-safety: as MPI_Abort.
#pragma once

#include <string>

namespace tasuki::mpi {

/// Prints the text, prefixed "tasuki: ", and ends all ranks of MPI_COMM_WORLD with exit code 70.
/// Requires: between MPI_Init and MPI_Finalize.
[[noreturn]] void end_job(const std::string& text);

}  // namespace tasuki::mpi
