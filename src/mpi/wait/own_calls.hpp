// Collectives that Tasuki itself calls while it prepares something, waiting as the program does.
//
// Where ranks share cores, an MPI library that spins would keep each of them from the others for a
// time slice of the scheduler. An error ends the job: this rank would go on with what the others
// have not agreed on. It is none of the program's, whose error handler is not called.
//
// Thread-safety: as Waiting.
#pragma once

#include "mpi/messages/check.hpp"
#include "mpi/messages/job_end.hpp"
#include "mpi/messages/returned_errors.hpp"
#include "mpi/wait/waited_calls.hpp"

#include <mpi.h>

#include <array>
#include <cstddef>
#include <string>

namespace tasuki::mpi::wait {

/// `start` is a non-blocking MPI call on `comm`.
template <typename Start>
void own_call(const void* place, MPI_Comm comm, const Start& start) {
  const ReturnedErrors errors(comm);
  const int code = started_by(place, MPI_STATUS_IGNORE, start);
  if (code != MPI_SUCCESS) {
    end_job(error_of(code, "run --tuned: agreeing with the other ranks").what());
  }
}

/// Reduces numbers in their place.
template <typename Number, std::size_t count>
void allreduce(std::array<Number, count>& numbers, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  own_call(&numbers, comm, [&](MPI_Request* request) {
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
  own_call(all, comm, [&](MPI_Request* request) {
    return PMPI_Iallgather(&own, sizeof own, MPI_BYTE, all, sizeof own, MPI_BYTE, comm, request);
  });
}

/// Rank 0 has it, the others get it.
template <typename Item>
void bcast(Item& item, MPI_Comm comm) {
  own_call(&item, comm, [&](MPI_Request* request) {
    return PMPI_Ibcast(&item, sizeof item, MPI_BYTE, 0, comm, request);
  });
}

/// The text has the same length on all ranks.
inline void bcast_text(std::string& text, MPI_Comm comm) {
  own_call(text.data(), comm, [&](MPI_Request* request) {
    return PMPI_Ibcast(text.data(), static_cast<int>(text.size()), MPI_CHAR, 0, comm, request);
  });
}

}  // namespace tasuki::mpi::wait
