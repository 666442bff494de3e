// MPI_Wait and its relatives in programs of Fortran, where they wait by polls.
//
// The wrappers of Fortran call them with the program's arguments, where the MPI's own symbols would
// reach no wrapper of C. They do what the wrappers of C do (waits.hpp). `place` is the address of
// the call in the program.
//
// Thread-safety: as wait::Waiting.
#pragma once

#include "mpi/shim/fortran.hpp"
#include "mpi/wait/waiting.hpp"

#include <cstddef>

namespace tasuki::mpi::shim {

/// Whether the wrapper of a blocking call waits itself.
template <std::size_t Entry>
bool polls() noexcept {
  return wait::is_on() && stands_for_c<Entry>();
}

void polled_wait(const void* place, void* request, void* status, void* ierror);

/// Require: the number of requests is positive.
void polled_waitall(const void* place, void* count, void* requests, void* statuses, void* ierror);
/// `first_index` is that of the first request.
void polled_waitany(const void* place, int first_index, void* count, void* requests, void* index,
                    void* status, void* ierror);
void polled_waitsome(const void* place, int first_index, void* count, void* requests,
                     void* done_count, void* indices, void* statuses, void* ierror);

}  // namespace tasuki::mpi::shim
