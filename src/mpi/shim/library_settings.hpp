// What the MPI library says of the algorithms of its collectives: the variables of its tools
// interface (MPI_T) that concern them.
//
// Written by rank 0 of a profiled program before MPI_Init, beside its events; `tasuki profile`
// reads them (docs/formats/mpi-events.md). All ranks meet in MPI_Init, so that the time that the
// interface takes makes rank 0 late for no later call.
//
// Thread-safety: as MPI_Init.
#pragma once

#include <string>

namespace tasuki::mpi::shim {

/// Writes the file with the variables' values. There is none where the library tells nothing, or
/// where it cannot be made: then nothing is known of its algorithms.
void write_library_settings(const std::string& path) noexcept;

}  // namespace tasuki::mpi::shim
