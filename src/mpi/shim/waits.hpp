// The wrappers of MPI_Wait, MPI_Test and their relatives, for C and for Fortran.
//
// The table of wrappers names them; they are written by hand, as they read requests before and
// after the call.
//
// Thread-safety: as MPI's own.
#pragma once

#include <mpi.h>

#include <cstddef>

namespace tasuki::mpi::shim {

int wrapped_wait(MPI_Request* request, MPI_Status* status);
int wrapped_waitall(int count, MPI_Request requests[], MPI_Status statuses[]);
int wrapped_waitany(int count, MPI_Request requests[], int* index, MPI_Status* status);
int wrapped_waitsome(int count, MPI_Request requests[], int* done_count, int indices[],
                     MPI_Status statuses[]);
int wrapped_test(MPI_Request* request, int* flag, MPI_Status* status);
int wrapped_testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]);
int wrapped_testany(int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status);
int wrapped_testsome(int count, MPI_Request requests[], int* done_count, int indices[],
                     MPI_Status statuses[]);
int wrapped_start(MPI_Request* request);
int wrapped_startall(int count, MPI_Request requests[]);

}  // namespace tasuki::mpi::shim
