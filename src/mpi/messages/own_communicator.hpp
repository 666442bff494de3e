// A communicator of this process alone, on which MPI reports errors by codes.
//
// The tuned collectives pack on it, receive on it what nobody sends, and ask MPI about arguments;
// bounce receives unpack by it. An error there must not reach an error handler of the program. Made
// on first use, and freed before MPI_Finalize.
//
// Thread-safety: none; the rank's own thread, between MPI_Init and MPI_Finalize.
#pragma once

#include <mpi.h>

namespace tasuki::mpi {

/// What its messages are for; nobody sends the first.
enum OwnTag : int { never_sent_tag, long_element_tag, bounced_tag };

MPI_Comm own_communicator() noexcept;
/// Requires: nothing is under way on it.
void free_own_communicator() noexcept;

}  // namespace tasuki::mpi
