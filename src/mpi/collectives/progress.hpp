// Lets the MPI library make progress, while a rank waits in a collective of Tasuki.
//
// The library works only inside of its functions, and has none for this purpose. So the rank tests
// a receive on a communicator of its own, for a message that nobody sends. A probe does not serve:
// on MPI_COMM_SELF MPICH asks no other rank, and on another communicator Open MPI looks no further
// if the program has a message there.
//
// Thread-safety: none; the rank's own thread, between MPI_Init and MPI_Finalize.
#pragma once

namespace tasuki::mpi::collectives {

void let_mpi_progress();
/// Ends the receive. Nothing makes progress afterwards.
void end_progress();

}  // namespace tasuki::mpi::collectives
