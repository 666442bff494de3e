// mpcxx_message_counts: counts what a rank asks of its MPI, by MPI's profiling interface.
//
// Preloaded (LD_PRELOAD) into any MPI program, Tasuki over MPI included. MPI_Finalize makes rank 0
// write one JSON object with a row for each rank to the file MPCXX_COUNTS_FILE.
// Thread-safety: for programs that call MPI from one thread.
#include <fmt/format.h>
#include <mpi.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

namespace {

struct Counts {
  std::int64_t sends = 0;        ///< MPI_Send and its variants.
  std::int64_t receives = 0;     ///< Receives posted.
  std::int64_t probes = 0;       ///< MPI_Probe, MPI_Iprobe and their matched variants.
  std::int64_t tests = 0;        ///< MPI_Test and its variants: looks at receives posted ahead.
  std::int64_t collectives = 0;  ///< Collective calls.
  std::int64_t sent_bytes = 0;   ///< By sends.
  std::int64_t collective_bytes = 0;  ///< This rank's data in collective calls.
};

Counts counts;

std::int64_t bytes_of(int count, MPI_Datatype type) {
  int size = 0;
  PMPI_Type_size(type, &size);
  return static_cast<std::int64_t>(count) * size;
}

void count_send(int count, MPI_Datatype type) {
  ++counts.sends;
  counts.sent_bytes += bytes_of(count, type);
}

void count_collective(std::int64_t count, MPI_Datatype type) {
  ++counts.collectives;
  counts.collective_bytes += count * bytes_of(1, type);
}

int size_of(MPI_Comm comm) {
  int size = 0;
  PMPI_Comm_size(comm, &size);
  return size;
}

void write_counts() {
  const char* path = std::getenv("MPCXX_COUNTS_FILE");
  if (path == nullptr) return;
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::vector<Counts> all(static_cast<std::size_t>(size_of(MPI_COMM_WORLD)));
  PMPI_Gather(&counts, sizeof(Counts), MPI_BYTE, all.data(), sizeof(Counts), MPI_BYTE, 0,
              MPI_COMM_WORLD);
  if (rank != 0) return;
  std::string rows;
  for (const Counts& one : all) {
    rows += fmt::format(
        R"({}{{"sends": {}, "receives": {}, "probes": {}, "tests": {}, "sent_bytes": {}, )"
        R"("collectives": {}, "collective_bytes": {}}})",
        rows.empty() ? "" : ", ", one.sends, one.receives, one.probes, one.tests, one.sent_bytes,
        one.collectives, one.collective_bytes);
  }
  std::FILE* file = std::fopen(path, "w");
  if (file == nullptr) {
    std::perror(path);
    return;
  }
  fmt::print(file, R"({{"per_rank": [{}]}})", rows);
  std::fclose(file);
}

}  // namespace

extern "C" {

int MPI_Finalize() {
  write_counts();
  return PMPI_Finalize();
}

// ---- sends ------------------------------------------------------------------------------------

int MPI_Send(const void* data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm) {
  count_send(count, type);
  return PMPI_Send(data, count, type, peer, tag, comm);
}

int MPI_Ssend(const void* data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm) {
  count_send(count, type);
  return PMPI_Ssend(data, count, type, peer, tag, comm);
}

int MPI_Isend(const void* data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
              MPI_Request* request) {
  count_send(count, type);
  return PMPI_Isend(data, count, type, peer, tag, comm, request);
}

int MPI_Issend(const void* data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
               MPI_Request* request) {
  count_send(count, type);
  return PMPI_Issend(data, count, type, peer, tag, comm, request);
}

int MPI_Sendrecv(const void* data, int count, MPI_Datatype type, int to, int tag, void* into,
                 int room, MPI_Datatype into_type, int from, int from_tag, MPI_Comm comm,
                 MPI_Status* status) {
  count_send(count, type);
  ++counts.receives;
  return PMPI_Sendrecv(data, count, type, to, tag, into, room, into_type, from, from_tag, comm,
                       status);
}

// ---- receives and probes ------------------------------------------------------------------------

int MPI_Recv(void* into, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
             MPI_Status* status) {
  ++counts.receives;
  return PMPI_Recv(into, count, type, peer, tag, comm, status);
}

int MPI_Irecv(void* into, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
              MPI_Request* request) {
  ++counts.receives;
  return PMPI_Irecv(into, count, type, peer, tag, comm, request);
}

int MPI_Mrecv(void* into, int count, MPI_Datatype type, MPI_Message* message, MPI_Status* status) {
  ++counts.receives;
  return PMPI_Mrecv(into, count, type, message, status);
}

int MPI_Imrecv(void* into, int count, MPI_Datatype type, MPI_Message* message,
               MPI_Request* request) {
  ++counts.receives;
  return PMPI_Imrecv(into, count, type, message, request);
}

int MPI_Probe(int peer, int tag, MPI_Comm comm, MPI_Status* status) {
  ++counts.probes;
  return PMPI_Probe(peer, tag, comm, status);
}

int MPI_Iprobe(int peer, int tag, MPI_Comm comm, int* found, MPI_Status* status) {
  ++counts.probes;
  return PMPI_Iprobe(peer, tag, comm, found, status);
}

int MPI_Mprobe(int peer, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status) {
  ++counts.probes;
  return PMPI_Mprobe(peer, tag, comm, message, status);
}

int MPI_Improbe(int peer, int tag, MPI_Comm comm, int* found, MPI_Message* message,
                MPI_Status* status) {
  ++counts.probes;
  return PMPI_Improbe(peer, tag, comm, found, message, status);
}

// ---- tests --------------------------------------------------------------------------------------

int MPI_Test(MPI_Request* request, int* done, MPI_Status* status) {
  ++counts.tests;
  return PMPI_Test(request, done, status);
}

int MPI_Testany(int count, MPI_Request* requests, int* index, int* done, MPI_Status* status) {
  ++counts.tests;
  return PMPI_Testany(count, requests, index, done, status);
}

int MPI_Testsome(int count, MPI_Request* requests, int* done_count, int* indices,
                 MPI_Status* statuses) {
  ++counts.tests;
  return PMPI_Testsome(count, requests, done_count, indices, statuses);
}

int MPI_Testall(int count, MPI_Request* requests, int* done, MPI_Status* statuses) {
  ++counts.tests;
  return PMPI_Testall(count, requests, done, statuses);
}

// ---- collectives that the kernels use -----------------------------------------------------------

int MPI_Barrier(MPI_Comm comm) {
  count_collective(0, MPI_BYTE);
  return PMPI_Barrier(comm);
}

int MPI_Allreduce(const void* data, void* into, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm) {
  count_collective(count, type);
  return PMPI_Allreduce(data, into, count, type, op, comm);
}

int MPI_Alltoall(const void* data, int count, MPI_Datatype type, void* into, int room,
                 MPI_Datatype into_type, MPI_Comm comm) {
  count_collective(static_cast<std::int64_t>(count) * size_of(comm), type);
  return PMPI_Alltoall(data, count, type, into, room, into_type, comm);
}

int MPI_Alltoallv(const void* data, const int* sizes, const int* places, MPI_Datatype type,
                  void* into, const int* rooms, const int* into_places, MPI_Datatype into_type,
                  MPI_Comm comm) {
  count_collective(std::accumulate(sizes, sizes + size_of(comm), std::int64_t{0}), type);
  return PMPI_Alltoallv(data, sizes, places, type, into, rooms, into_places, into_type, comm);
}

}  // extern "C"
