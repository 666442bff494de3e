// MPI_Test and its relatives: what they find is told to whoever predicts messages.
//
// The wrappers call them in place of PMPI's. Each does what the MPI function of its name does and
// returns its code.
//
// Thread-safety: as ahead::Awaited.
#pragma once

#include <mpi.h>

namespace tasuki::mpi::wait {

int test(MPI_Request* request, int* flag, MPI_Status* status);
int testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]);
int testany(int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status);
int testsome(int count, MPI_Request requests[], int* done_count, int indices[],
             MPI_Status statuses[]);

}  // namespace tasuki::mpi::wait
