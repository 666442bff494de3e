#include "mpi/wait/bounced_calls.hpp"

#include "mpi/ahead/bounce_receives.hpp"
#include "mpi/wait/waited_calls.hpp"

#include <memory>

namespace tasuki::mpi::wait {
namespace {

using ahead::Buffer;

/// Gives a message that was taken to a receive. Returns: the code of the receive, not reported.
int deliver(const void* place, const Buffer& buffer, MPI_Status* status) {
  ahead::BounceReceives& bounces = ahead::bounces();
  const int code = for_request(place, bounces.request(), MPI_STATUS_IGNORE);
  if (code == MPI_SUCCESS) return bounces.deliver(buffer, status);
  bounces.lose();
  return code;
}

/// How a receive has ended, for whoever waits for its request.
struct End {
  MPI_Status status{};
  int code = MPI_SUCCESS;
};

int tell_end(void* state, MPI_Status* status) {
  const End& end = *static_cast<const End*>(state);
  const int error = status->MPI_ERROR;
  *status = end.status;
  status->MPI_ERROR = error;
  return end.code;
}

int free_end(void* state) {
  delete static_cast<End*>(state);
  return MPI_SUCCESS;
}

int cancel_nothing(void*, int) { return MPI_SUCCESS; }

}  // namespace

int bounced_recv(const void* place, void* buf, int count, MPI_Datatype datatype, int source,
                 int tag, MPI_Comm comm, MPI_Status* status) {
  ahead::BounceReceives& bounces = ahead::bounces();
  MPI_Status own;
  MPI_Status* const seen = status == MPI_STATUS_IGNORE ? &own : status;
  bounces.begins(source, tag, comm);
  const Buffer buffer{buf, count, datatype};
  const bool is_taken = bounces.has(source, tag, comm);
  const int code = is_taken
                       ? deliver(place, buffer, seen)
                       : recv(place, buffer, source, tag, comm, seen, [&](MPI_Request* request) {
                           return PMPI_Irecv(buf, count, datatype, source, tag, comm, request);
                         });
  if (code == MPI_SUCCESS) {
    bounces.ended(*seen);
    return code;
  }
  bounces.failed();
  if (is_taken) PMPI_Comm_call_errhandler(comm, code);
  return code;
}

int bounced_irecv(const void* place, void* buf, int count, MPI_Datatype datatype, int source,
                  int tag, MPI_Comm comm, MPI_Request* request) {
  ahead::BounceReceives& bounces = ahead::bounces();
  if (!bounces.has(source, tag, comm)) {
    bounces.exclude("MPI_Irecv", source, tag, comm);
    return PMPI_Irecv(buf, count, datatype, source, tag, comm, request);
  }
  auto end = std::make_unique<End>();
  end->code = deliver(place, {buf, count, datatype}, &end->status);
  if (bounces.has(source, tag, comm)) {  // Wrong arguments.
    PMPI_Comm_call_errhandler(comm, end->code);
    return end->code;
  }
  bounces.exclude("MPI_Irecv", source, tag, comm);
  const int code = PMPI_Grequest_start(tell_end, free_end, cancel_nothing, end.release(), request);
  return code == MPI_SUCCESS ? PMPI_Grequest_complete(*request) : code;
}

}  // namespace tasuki::mpi::wait
