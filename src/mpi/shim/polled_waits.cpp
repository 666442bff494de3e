#include "mpi/shim/polled_waits.hpp"

#include "mpi/shim/converted_arguments.hpp"
#include "mpi/shim/waits.hpp"

#include <mpi.h>

namespace tasuki::mpi::shim {

void polled_wait(const void* place, void* request, void* status, void* ierror) {
  ConvertedRequest one(request);
  ConvertedStatus converted(status);
  set_fortran_code(ierror, wait_at(place, one.in_c(), converted.in_c()));
}

void polled_waitall(const void* place, void* count, void* requests, void* statuses, void* ierror) {
  const int requests_count = fortran_integer(count);
  ConvertedRequests all(requests, requests_count);
  ConvertedStatuses converted(statuses, requests_count);
  set_fortran_code(ierror, waitall_at(place, requests_count, all.in_c(), converted.in_c()));
}

void polled_waitany(const void* place, int first_index, void* count, void* requests, void* index,
                    void* status, void* ierror) {
  const int requests_count = fortran_integer(count);
  ConvertedRequests all(requests, requests_count);
  ConvertedStatus converted(status);
  int done = MPI_UNDEFINED;
  set_fortran_code(ierror, waitany_at(place, requests_count, all.in_c(), &done, converted.in_c()));
  *static_cast<MPI_Fint*>(index) = done == MPI_UNDEFINED ? done : done + first_index;
}

void polled_waitsome(const void* place, int first_index, void* count, void* requests,
                     void* done_count, void* indices, void* statuses, void* ierror) {
  const int requests_count = fortran_integer(count);
  auto* const done_indices = static_cast<MPI_Fint*>(indices);
  int done = 0;
  ConvertedRequests all(requests, requests_count);
  ConvertedStatuses converted(statuses, requests_count);
  set_fortran_code(ierror, waitsome_at(place, requests_count, all.in_c(), &done, done_indices,
                                       converted.in_c()));
  // The count is MPI_UNDEFINED, which is negative, where no request is active.
  for (int i = 0; i < done; ++i) done_indices[i] += first_index;
  *static_cast<MPI_Fint*>(done_count) = done;
}

}  // namespace tasuki::mpi::shim
