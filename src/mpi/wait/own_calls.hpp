// Collectives that Tasuki itself calls while it prepares something, waiting as the program does.
//
// Where ranks share cores, an MPI library that spins would keep each of them from the others for a
// time slice of the scheduler.
//
// Thread-safety: as Waiting.
#pragma once

#include "mpi/wait/waited_calls.hpp"

#include <mpi.h>

#include <cstddef>

namespace tasuki::mpi::wait {

/// Reduces one number in its place.
inline void allreduce(int* number, MPI_Op op, MPI_Comm comm) {
  started_by(number, MPI_STATUS_IGNORE, [&](MPI_Request* request) {
    return PMPI_Iallreduce(MPI_IN_PLACE, number, 1, MPI_INT, op, comm, request);
  });
}

inline void bcast(char* text, std::size_t bytes, MPI_Comm comm) {
  started_by(text, MPI_STATUS_IGNORE, [&](MPI_Request* request) {
    return PMPI_Ibcast(text, static_cast<int>(bytes), MPI_CHAR, 0, comm, request);
  });
}

inline void barrier(MPI_Comm comm) {
  started_by(nullptr, MPI_STATUS_IGNORE,
             [&](MPI_Request* request) { return PMPI_Ibarrier(comm, request); });
}

}  // namespace tasuki::mpi::wait
