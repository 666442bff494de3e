// How an MPI library calls itself, with its version, as policy files name it.
//
// Compiled with each MPI's mpi.h. Called by the programs that measure it and by the library that is
// preloaded into MPI programs: both must come to the same name. Thread-safety: any thread; also
// before MPI_Init.
#pragma once

#include <string>

namespace tasuki::mpi {

/// "Open MPI v4.1.4", "MPICH 4.0.2".
std::string library_name();

}  // namespace tasuki::mpi
