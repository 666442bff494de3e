// The wrappers of MPI_Wait, MPI_Test and their relatives.
//
// The table of wrappers names those of C; those of Fortran (polled_waits.hpp) call what these are
// made of. They are written by hand, as they read requests before and after the call.
//
// Thread-safety: as MPI's own.
#pragma once

#include <mpi.h>

#include <cstddef>

namespace tasuki::mpi::shim {

/// What the wrappers do for a call from `place`, an address of the program.
int wait_at(const void* place, MPI_Request* request, MPI_Status* status);
int waitall_at(const void* place, int count, MPI_Request requests[], MPI_Status statuses[]);
int waitany_at(const void* place, int count, MPI_Request requests[], int* index,
               MPI_Status* status);
int waitsome_at(const void* place, int count, MPI_Request requests[], int* done_count,
                int indices[], MPI_Status statuses[]);

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
