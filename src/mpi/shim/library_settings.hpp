// What the MPI library says of the algorithms of its collectives: the variables of its tools
// interface (MPI_T) that concern them.
//
// Written by rank 0 of a profiled program before MPI_Init, beside its events; `tasuki profile`
// reads them (docs/formats/mpi-events.md). Before, because Open MPI 4.1 takes 0.2 s for the
// interface, and that much less for MPI_Init then (two cores of an EPYC, November 2026): all ranks
// meet there, and nobody is late behind it.
//
// Thread-safety: as MPI_Init.
#pragma once

#include <string>

namespace tasuki::mpi::shim {

/// Writes the file with the variables' values. There is none where the library tells nothing, or
/// where it cannot be made: then nothing is known of its algorithms.
void write_library_settings(const std::string& path) noexcept;

}  // namespace tasuki::mpi::shim
