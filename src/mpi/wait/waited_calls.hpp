// Blocking MPI calls that wait by Waiting: each starts the non-blocking call of its name and polls.
//
// The wrappers call them in place of PMPI's. Each does what the MPI function of its name does and
// returns its code; `place` is the address of the call in the program. Those that start something
// are given what starts it, as MPI has two functions each, for ints and for large counts.
//
// Thread-safety: as Waiting.
#pragma once

#include "mpi/ahead/awaited.hpp"
#include "mpi/wait/sent_copy.hpp"
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

/// Waits for the message of one request, which is what `awaited` expects.
int for_receive(const void* place, MPI_Request* request, MPI_Status* status,
                ahead::Awaited& awaited);

/// `start` starts the receive.
/// Requires: the source is not MPI_PROC_NULL. It waits for nothing, and after a test of such a
/// request the source in MPICH 4.0's status is 0.
template <typename Start>
int recv(const void* place, const ahead::Buffer& buffer, int source, int tag, MPI_Comm comm,
         MPI_Status* status, const Start& start) {
  MPI_Request request = MPI_REQUEST_NULL;
  const int code = start(&request);
  if (code != MPI_SUCCESS) return code;
  ahead::Awaited awaited(buffer, source, tag, comm);
  return for_receive(place, &request, status, awaited);
}

/// A receive from MPI_PROC_NULL.
int from_nobody(const ahead::Buffer& buffer, int tag, MPI_Comm comm, MPI_Status* status);
/// Ends a receive that nothing has been sent for.
void give_up(MPI_Request* receive);

/// The arguments are those of the receive.
template <typename StartReceive, typename StartSend>
int sendrecv(const void* place, const ahead::Buffer& buffer, int source, int tag, MPI_Comm comm,
             MPI_Status* status, const StartReceive& start_receive, const StartSend& start_send) {
  if (source == MPI_PROC_NULL) {
    const int code = from_nobody(buffer, tag, comm, status);
    return code == MPI_SUCCESS ? started_by(place, MPI_STATUS_IGNORE, start_send) : code;
  }
  MPI_Request receive = MPI_REQUEST_NULL;
  int code = start_receive(&receive);
  if (code != MPI_SUCCESS) return code;
  MPI_Request send = MPI_REQUEST_NULL;
  code = start_send(&send);
  if (code != MPI_SUCCESS) {
    // MPI_Sendrecv checks all its arguments before it receives anything.
    give_up(&receive);
    return code;
  }
  // The waits of the place are those for messages.
  const int send_code = for_request(nullptr, &send, MPI_STATUS_IGNORE);
  ahead::Awaited awaited(buffer, source, tag, comm);
  code = for_receive(place, &receive, status, awaited);
  return code == MPI_SUCCESS ? send_code : code;
}

/// Requires: SentCopy can hold the buffer.
template <typename StartReceive>
int sendrecv_replace(const void* place, const ahead::Buffer& buffer, int dest, int sendtag,
                     int source, int recvtag, MPI_Comm comm, MPI_Status* status,
                     const StartReceive& start_receive) {
  SentCopy sent;
  const int code = sent.pack(buffer, comm);
  if (code != MPI_SUCCESS) return code;
  return sendrecv(
      place, buffer, source, recvtag, comm, status, start_receive,
      [&](MPI_Request* request) { return sent.start_send(dest, sendtag, comm, request); });
}

int wait(const void* place, MPI_Request* request, MPI_Status* status);
int waitall(const void* place, int count, MPI_Request requests[], MPI_Status statuses[]);
int waitany(const void* place, int count, MPI_Request requests[], int* index, MPI_Status* status);
int waitsome(const void* place, int count, MPI_Request requests[], int* done_count, int indices[],
             MPI_Status statuses[]);
int probe(const void* place, int source, int tag, MPI_Comm comm, MPI_Status* status);
int mprobe(const void* place, int source, int tag, MPI_Comm comm, MPI_Message* message,
           MPI_Status* status);

}  // namespace tasuki::mpi::wait
