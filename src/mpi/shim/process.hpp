// What the recorder learns when a program starts and ends MPI.
//
// The wrappers of MPI_Init, MPI_Finalize, MPI_Abort and of sessions call it.
//
// Thread-safety: as those functions.
#pragma once

namespace tasuki::mpi::shim {

/// MPI_Init or MPI_Init_thread has returned: collectives and waits begin, if they are asked for.
/// Fortran's MPI_Init may call C's: what is begun is not begun again.
void start_acting();
/// For the recorder: MPI_Init or MPI_Init_thread is about to be called, and has returned.
void note_initializing();
void note_initialized();
/// A session has begun, in a program that may never call MPI_Init.
void note_session();
/// A call has come, but no MPI_Init: another tool, or a look-up by the program itself, kept it from
/// Tasuki. Returns whether MPI can be used.
bool begin_unseen();
void note_finalized();
void note_aborting(int code);

}  // namespace tasuki::mpi::shim
