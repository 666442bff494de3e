#include "mpi/wait/waited_calls.hpp"

#include "mpi/ahead/awaited.hpp"
#include "mpi/wait/statuses.hpp"

namespace tasuki::mpi::wait {
namespace {

using ahead::Awaited;
using ahead::Buffer;

/// Waits for the message of one request, which is a receive with these arguments.
int for_receive(const void* place, MPI_Request* request, MPI_Status* status, Awaited& awaited) {
  Statuses statuses(status, status == MPI_STATUS_IGNORE, 1, awaited);
  const int code = for_request(place, request, statuses.seen(), [&] { return awaited.step(); });
  if (!awaited.is_empty() && code == MPI_SUCCESS) awaited.ended(0, statuses[0]);
  return code;
}

}  // namespace

int wait(const void* place, MPI_Request* request, MPI_Status* status) {
  if (!is_on()) return PMPI_Wait(request, status);
  Awaited awaited(request, 1);
  const int code = for_receive(place, request, status, awaited);
  if (code != MPI_SUCCESS) awaited.forget_ended(request);
  return code;
}

int waitall(const void* place, int count, MPI_Request requests[], MPI_Status statuses[]) {
  if (!is_on()) return PMPI_Waitall(count, requests, statuses);
  Awaited awaited(requests, count);
  Statuses all(statuses, statuses == MPI_STATUSES_IGNORE, count, awaited);
  const int code = until_flag(
      place, [&](int* flag) { return PMPI_Testall(count, requests, flag, all.seen()); },
      [&] { return awaited.step(); });
  for (int i = 0; !awaited.is_empty() && code == MPI_SUCCESS && i < count; ++i) {
    awaited.ended(i, all[i]);
  }
  awaited.forget_ended(requests);
  return code;
}

int waitany(const void* place, int count, MPI_Request requests[], int* index, MPI_Status* status) {
  if (!is_on()) return PMPI_Waitany(count, requests, index, status);
  Awaited awaited(requests, count);
  Statuses one(status, status == MPI_STATUS_IGNORE, 1, awaited);
  const int code = until_flag(
      place, [&](int* flag) { return PMPI_Testany(count, requests, index, flag, one.seen()); },
      [&] { return awaited.step(); });
  // MPI_UNDEFINED, where no request is active, is no index of one that is awaited.
  if (!awaited.is_empty() && code == MPI_SUCCESS) awaited.ended(*index, one[0]);
  awaited.forget_ended(requests);
  return code;
}

int waitsome(const void* place, int count, MPI_Request requests[], int* done_count, int indices[],
             MPI_Status statuses[]) {
  if (!is_on()) return PMPI_Waitsome(count, requests, done_count, indices, statuses);
  Awaited awaited(requests, count);
  Statuses some(statuses, statuses == MPI_STATUSES_IGNORE, count, awaited);
  const auto poll = [&](bool& is_done) {
    const int code = PMPI_Testsome(count, requests, done_count, indices, some.seen());
    is_done = code == MPI_SUCCESS && *done_count != 0;  // MPI_UNDEFINED where no request is active.
    return code;
  };
  const int code = waiting().until(place, poll, [&] { return awaited.step(); });
  for (int i = 0; !awaited.is_empty() && code == MPI_SUCCESS && i < *done_count; ++i) {
    awaited.ended(indices[i], some[i]);
  }
  awaited.forget_ended(requests);
  return code;
}

int recv(const void* place, void* buf, int count, MPI_Datatype datatype, int source, int tag,
         MPI_Comm comm, MPI_Status* status) {
  // It waits for nothing. After a test of such a request, the source in MPICH 4.0's status is 0.
  if (source == MPI_PROC_NULL) return PMPI_Recv(buf, count, datatype, source, tag, comm, status);
  MPI_Request request = MPI_REQUEST_NULL;
  const int code = PMPI_Irecv(buf, count, datatype, source, tag, comm, &request);
  if (code != MPI_SUCCESS) return code;
  Awaited awaited(Buffer{buf, count, datatype}, source, tag, comm);
  return for_receive(place, &request, status, awaited);
}

int probe(const void* place, int source, int tag, MPI_Comm comm, MPI_Status* status) {
  if (!is_on()) return PMPI_Probe(source, tag, comm, status);
  Awaited awaited(Buffer{}, source, tag, comm);
  Statuses one(status, status == MPI_STATUS_IGNORE, 1, awaited);
  const int code = until_flag(
      place, [&](int* flag) { return PMPI_Iprobe(source, tag, comm, flag, one.seen()); },
      [&] { return awaited.step(); });
  if (!awaited.is_empty() && code == MPI_SUCCESS) awaited.seen(one[0]);
  return code;
}

int mprobe(const void* place, int source, int tag, MPI_Comm comm, MPI_Message* message,
           MPI_Status* status) {
  if (!is_on()) return PMPI_Mprobe(source, tag, comm, message, status);
  Awaited awaited(Buffer{}, source, tag, comm);
  Statuses one(status, status == MPI_STATUS_IGNORE, 1, awaited);
  const int code = until_flag(
      place, [&](int* flag) { return PMPI_Improbe(source, tag, comm, flag, message, one.seen()); },
      [&] { return awaited.step(); });
  if (!awaited.is_empty() && code == MPI_SUCCESS) awaited.ended(0, one[0]);
  return code;
}

int sendrecv(const void* place, const void* sendbuf, int sendcount, MPI_Datatype sendtype, int dest,
             int sendtag, void* recvbuf, int recvcount, MPI_Datatype recvtype, int source,
             int recvtag, MPI_Comm comm, MPI_Status* status) {
  const auto start_send = [&](MPI_Request* request) {
    return PMPI_Isend(sendbuf, sendcount, sendtype, dest, sendtag, comm, request);
  };
  if (source == MPI_PROC_NULL) {
    const int code = recv(place, recvbuf, recvcount, recvtype, source, recvtag, comm, status);
    return code == MPI_SUCCESS ? started_by(place, MPI_STATUS_IGNORE, start_send) : code;
  }
  MPI_Request receive = MPI_REQUEST_NULL;
  int code = PMPI_Irecv(recvbuf, recvcount, recvtype, source, recvtag, comm, &receive);
  if (code != MPI_SUCCESS) return code;
  MPI_Request send = MPI_REQUEST_NULL;
  int send_code = start_send(&send);
  if (send_code != MPI_SUCCESS) {
    // MPI_Sendrecv checks all its arguments before it receives anything.
    PMPI_Cancel(&receive);
    PMPI_Wait(&receive, MPI_STATUS_IGNORE);
    return send_code;
  }
  // The waits of the place are those for messages.
  send_code = for_request(nullptr, &send, MPI_STATUS_IGNORE);
  Awaited awaited(Buffer{recvbuf, recvcount, recvtype}, source, recvtag, comm);
  code = for_receive(place, &receive, status, awaited);
  return code == MPI_SUCCESS ? send_code : code;
}

}  // namespace tasuki::mpi::wait
