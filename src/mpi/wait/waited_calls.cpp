#include "mpi/wait/waited_calls.hpp"

#include "mpi/ahead/awaited.hpp"
#include "mpi/ahead/bounce_receives.hpp"
#include "mpi/wait/statuses.hpp"

#include <algorithm>
#include <limits>

namespace tasuki::mpi::wait {

using ahead::Awaited;
using ahead::Buffer;

int for_receive(const void* place, MPI_Request* request, MPI_Status* status, Awaited& awaited) {
  Statuses statuses(status, status == MPI_STATUS_IGNORE, 1, awaited);
  const int code = for_request(place, request, statuses.seen(), [&] {
    if (ahead::is_bouncing()) ahead::bounces().step();
    return awaited.step();
  });
  if (!awaited.is_empty() && code == MPI_SUCCESS) awaited.ended(0, statuses[0]);
  return code;
}

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

int from_nobody(const Buffer& buffer, int tag, MPI_Comm comm, MPI_Status* status) {
  const auto count = std::min<MPI_Count>(buffer.count, std::numeric_limits<int>::max());
  return PMPI_Recv(buffer.begin, static_cast<int>(count), buffer.datatype, MPI_PROC_NULL, tag, comm,
                   status);
}

void give_up(MPI_Request* receive) {
  PMPI_Cancel(receive);
  PMPI_Wait(receive, MPI_STATUS_IGNORE);
}

}  // namespace tasuki::mpi::wait
