// Blocking MPI calls that wait by Waiting: each starts the non-blocking call of its name and polls.
//
// The wrappers call them in place of PMPI's. Each does what the MPI function of its name does and
// returns its code; `place` is the address of the call in the program.
//
// Thread-safety: as Waiting.
#pragma once

#include "mpi/wait/waiting.hpp"

#include <mpi.h>

namespace tasuki::mpi::wait {

/// What is done between polls where no message is awaited.
inline bool no_work() noexcept { return false; }

/// Waits by polls that say by a flag, as MPI_Test does, whether the wait is over.
template <typename Poll, typename Work = bool() noexcept>
int until_flag(const void* place, const Poll& poll, const Work& work = no_work) {
  const auto flagged = [&](bool& is_done) {
    int flag = 0;
    const int code = poll(&flag);
    is_done = flag != 0;
    return code;
  };
  return waiting().until(place, flagged, work);
}

/// Waits for one request: the end of each call that is made of a non-blocking one.
template <typename Work = bool() noexcept>
int for_request(const void* place, MPI_Request* request, MPI_Status* status,
                const Work& work = no_work) {
  return until_flag(
      place, [&](int* flag) { return PMPI_Test(request, flag, status); }, work);
}

/// `start` is a non-blocking MPI call that makes the request it is given.
template <typename Start>
int started_by(const void* place, MPI_Status* status, const Start& start) {
  MPI_Request request = MPI_REQUEST_NULL;
  const int code = start(&request);
  return code == MPI_SUCCESS ? for_request(place, &request, status) : code;
}

int wait(const void* place, MPI_Request* request, MPI_Status* status);
int waitall(const void* place, int count, MPI_Request requests[], MPI_Status statuses[]);
int waitany(const void* place, int count, MPI_Request requests[], int* index, MPI_Status* status);
int waitsome(const void* place, int count, MPI_Request requests[], int* done_count, int indices[],
             MPI_Status statuses[]);
int recv(const void* place, void* buf, int count, MPI_Datatype datatype, int source, int tag,
         MPI_Comm comm, MPI_Status* status);
int probe(const void* place, int source, int tag, MPI_Comm comm, MPI_Status* status);
int mprobe(const void* place, int source, int tag, MPI_Comm comm, MPI_Message* message,
           MPI_Status* status);
int sendrecv(const void* place, const void* sendbuf, int sendcount, MPI_Datatype sendtype, int dest,
             int sendtag, void* recvbuf, int recvcount, MPI_Datatype recvtype, int source,
             int recvtag, MPI_Comm comm, MPI_Status* status);

}  // namespace tasuki::mpi::wait
