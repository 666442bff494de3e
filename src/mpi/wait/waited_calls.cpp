#include "mpi/wait/waited_calls.hpp"

namespace tasuki::mpi::wait {

int wait(const void* place, MPI_Request* request, MPI_Status* status) {
  return is_on() ? for_request(place, request, status) : PMPI_Wait(request, status);
}

int waitall(const void* place, int count, MPI_Request requests[], MPI_Status statuses[]) {
  if (!is_on()) return PMPI_Waitall(count, requests, statuses);
  return until_flag(place,
                    [&](int* flag) { return PMPI_Testall(count, requests, flag, statuses); });
}

int waitany(const void* place, int count, MPI_Request requests[], int* index, MPI_Status* status) {
  if (!is_on()) return PMPI_Waitany(count, requests, index, status);
  return until_flag(place,
                    [&](int* flag) { return PMPI_Testany(count, requests, index, flag, status); });
}

int waitsome(const void* place, int count, MPI_Request requests[], int* done_count, int indices[],
             MPI_Status statuses[]) {
  if (!is_on()) return PMPI_Waitsome(count, requests, done_count, indices, statuses);
  return waiting().until(place, [&](bool& is_done) {
    const int code = PMPI_Testsome(count, requests, done_count, indices, statuses);
    is_done = *done_count != 0;  // MPI_UNDEFINED where no request is active.
    return code;
  });
}

int recv(const void* place, void* buf, int count, MPI_Datatype datatype, int source, int tag,
         MPI_Comm comm, MPI_Status* status) {
  // It waits for nothing. After a test of such a request, the source in MPICH 4.0's status is 0.
  if (source == MPI_PROC_NULL) return PMPI_Recv(buf, count, datatype, source, tag, comm, status);
  return started_by(place, status, [&](MPI_Request* request) {
    return PMPI_Irecv(buf, count, datatype, source, tag, comm, request);
  });
}

int probe(const void* place, int source, int tag, MPI_Comm comm, MPI_Status* status) {
  if (!is_on()) return PMPI_Probe(source, tag, comm, status);
  return until_flag(place, [&](int* flag) { return PMPI_Iprobe(source, tag, comm, flag, status); });
}

int mprobe(const void* place, int source, int tag, MPI_Comm comm, MPI_Message* message,
           MPI_Status* status) {
  if (!is_on()) return PMPI_Mprobe(source, tag, comm, message, status);
  return until_flag(
      place, [&](int* flag) { return PMPI_Improbe(source, tag, comm, flag, message, status); });
}

int sendrecv(const void* place, const void* sendbuf, int sendcount, MPI_Datatype sendtype, int dest,
             int sendtag, void* recvbuf, int recvcount, MPI_Datatype recvtype, int source,
             int recvtag, MPI_Comm comm, MPI_Status* status) {
  const auto send = [&](MPI_Request* request) {
    return PMPI_Isend(sendbuf, sendcount, sendtype, dest, sendtag, comm, request);
  };
  if (source == MPI_PROC_NULL) {
    const int code = recv(place, recvbuf, recvcount, recvtype, source, recvtag, comm, status);
    return code == MPI_SUCCESS ? started_by(place, MPI_STATUS_IGNORE, send) : code;
  }
  MPI_Request receive = MPI_REQUEST_NULL;
  int code = PMPI_Irecv(recvbuf, recvcount, recvtype, source, recvtag, comm, &receive);
  if (code != MPI_SUCCESS) return code;
  const int send_code = started_by(place, MPI_STATUS_IGNORE, send);
  code = for_request(place, &receive, status);
  return code == MPI_SUCCESS ? send_code : code;
}

}  // namespace tasuki::mpi::wait
