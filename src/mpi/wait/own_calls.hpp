// Collectives that Tasuki itself calls while it prepares something, waiting as the program does.
//
// Where ranks share cores, an MPI library that spins would keep each of them from the others for a
// time slice of the scheduler.
//
// Thread-safety: as Waiting.
#pragma once

#include "mpi/wait/waited_calls.hpp"

#include <mpi.h>

#include <array>
#include <cstddef>
#include <string>

namespace tasuki::mpi::wait {

/// Reduces numbers in their place.
template <typename Number, std::size_t count>
void allreduce(std::array<Number, count>& numbers, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  started_by(&numbers, MPI_STATUS_IGNORE, [&](MPI_Request* request) {
    return PMPI_Iallreduce(MPI_IN_PLACE, numbers.data(), static_cast<int>(count), type, op, comm,
                           request);
  });
}

inline void allreduce(int* number, MPI_Op op, MPI_Comm comm) {
  std::array<int, 1> numbers{*number};
  allreduce(numbers, MPI_INT, op, comm);
  *number = numbers[0];
}

template <typename Item>
void allgather(const Item& own, Item* all, MPI_Comm comm) {
  started_by(all, MPI_STATUS_IGNORE, [&](MPI_Request* request) {
    return PMPI_Iallgather(&own, sizeof own, MPI_BYTE, all, sizeof own, MPI_BYTE, comm, request);
  });
}

/// Rank 0 has it, the others get it.
template <typename Item>
void bcast(Item& item, MPI_Comm comm) {
  started_by(&item, MPI_STATUS_IGNORE, [&](MPI_Request* request) {
    return PMPI_Ibcast(&item, sizeof item, MPI_BYTE, 0, comm, request);
  });
}

/// The text has the same length on all ranks.
inline void bcast_text(std::string& text, MPI_Comm comm) {
  started_by(text.data(), MPI_STATUS_IGNORE, [&](MPI_Request* request) {
    return PMPI_Ibcast(text.data(), static_cast<int>(text.size()), MPI_CHAR, 0, comm, request);
  });
}

}  // namespace tasuki::mpi::wait
