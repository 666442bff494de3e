// MPI_Recv and MPI_Irecv where long messages may have been taken ahead of them.
//
// The calls that wait by polls, and the wrapper of MPI_Irecv, hand over to them where
// ahead::is_bouncing(). Each does what the MPI function of its name does and returns its code.
//
// Thread-safety: as Waiting.
#pragma once

#include <mpi.h>

namespace tasuki::mpi::wait {

int bounced_recv(const void* place, void* buf, int count, MPI_Datatype datatype, int source,
                 int tag, MPI_Comm comm, MPI_Status* status);
int bounced_irecv(const void* place, void* buf, int count, MPI_Datatype datatype, int source,
                  int tag, MPI_Comm comm, MPI_Request* request);

}  // namespace tasuki::mpi::wait
