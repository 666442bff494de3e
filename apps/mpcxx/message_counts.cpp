// Counts what a rank asks of its MPI in the timed part, by MPI's profiling interface.
//
// Linked into the programs that SimGrid runs (tables 5 to 8 of the MPC++ paper), Tasuki's included.
// The timed part is that of apps/common/measurement.hpp. MPI_Finalize makes rank 0 write one JSON
// object with a row for each rank to the file MPCXX_COUNTS_FILE. Thread-safety: for programs that
// call MPI from one thread.
#include <mpi.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "common/json.hpp"

namespace {

namespace apps = tasuki::apps;

/// The functions that the tables tell apart; variants count as the one they are variants of.
enum Function : std::size_t {
  send,
  isend,
  recv,
  irecv,
  wait,
  probe,
  test,
  allreduce,
  alltoall,
  alltoallv,
  barrier,
  function_count
};

constexpr std::array<std::string_view, function_count> names{
    "Send", "Isend",     "Recv",     "Irecv",     "Wait",   "Iprobe",
    "Test", "Allreduce", "Alltoall", "Alltoallv", "Barrier"};

struct Counts {
  std::array<std::int64_t, function_count> calls{};
  std::int64_t sent_bytes = 0;        ///< By sends.
  std::int64_t collective_bytes = 0;  ///< This rank's data in collective calls.
};

Counts counts;
bool is_counting = false;

void count(Function function) {
  if (is_counting) ++counts.calls[function];
}

std::int64_t bytes_of(std::int64_t elements, MPI_Datatype type) {
  int size = 0;
  PMPI_Type_size(type, &size);
  return elements * size;
}

void count_send(Function function, int elements, MPI_Datatype type) {
  count(function);
  if (is_counting) counts.sent_bytes += bytes_of(elements, type);
}

void count_collective(Function function, std::int64_t elements, MPI_Datatype type) {
  count(function);
  if (is_counting) counts.collective_bytes += bytes_of(elements, type);
}

int size_of(MPI_Comm comm) {
  int size = 0;
  PMPI_Comm_size(comm, &size);
  return size;
}

apps::Json row_of(const Counts& one) {
  apps::Json calls;
  for (std::size_t function = 0; function < function_count; ++function) {
    calls[names[function]] = one.calls[function];
  }
  return {
      {"calls", calls}, {"sent_bytes", one.sent_bytes}, {"collective_bytes", one.collective_bytes}};
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
  apps::Json rows = apps::Json::array();
  for (const Counts& one : all) rows.push_back(row_of(one));
  std::ofstream file(path);
  if (!(file << apps::Json{{"per_rank", rows}})) std::perror(path);
}

}  // namespace

extern "C" {

void tasuki_timed_part(bool begins) {
  is_counting = begins;
  if (begins) counts = {};
}

int MPI_Finalize() {
  write_counts();
  return PMPI_Finalize();
}

// ---- messages -----------------------------------------------------------------------------------

int MPI_Send(const void* data, int elements, MPI_Datatype type, int peer, int tag, MPI_Comm comm) {
  count_send(send, elements, type);
  return PMPI_Send(data, elements, type, peer, tag, comm);
}

int MPI_Isend(const void* data, int elements, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
              MPI_Request* request) {
  count_send(isend, elements, type);
  return PMPI_Isend(data, elements, type, peer, tag, comm, request);
}

int MPI_Issend(const void* data, int elements, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
               MPI_Request* request) {
  count_send(isend, elements, type);
  return PMPI_Issend(data, elements, type, peer, tag, comm, request);
}

int MPI_Recv(void* into, int elements, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
             MPI_Status* status) {
  count(recv);
  return PMPI_Recv(into, elements, type, peer, tag, comm, status);
}

int MPI_Irecv(void* into, int elements, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
              MPI_Request* request) {
  count(irecv);
  return PMPI_Irecv(into, elements, type, peer, tag, comm, request);
}

int MPI_Iprobe(int peer, int tag, MPI_Comm comm, int* found, MPI_Status* status) {
  count(probe);
  return PMPI_Iprobe(peer, tag, comm, found, status);
}

// ---- completion ---------------------------------------------------------------------------------

int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  count(wait);
  return PMPI_Wait(request, status);
}

int MPI_Waitany(int requests_count, MPI_Request* requests, int* index, MPI_Status* status) {
  count(wait);
  return PMPI_Waitany(requests_count, requests, index, status);
}

int MPI_Waitall(int requests_count, MPI_Request* requests, MPI_Status* statuses) {
  count(wait);
  return PMPI_Waitall(requests_count, requests, statuses);
}

int MPI_Test(MPI_Request* request, int* done, MPI_Status* status) {
  count(test);
  return PMPI_Test(request, done, status);
}

int MPI_Testany(int requests_count, MPI_Request* requests, int* index, int* done,
                MPI_Status* status) {
  count(test);
  return PMPI_Testany(requests_count, requests, index, done, status);
}

int MPI_Testsome(int requests_count, MPI_Request* requests, int* done_count, int* indices,
                 MPI_Status* statuses) {
  count(test);
  return PMPI_Testsome(requests_count, requests, done_count, indices, statuses);
}

int MPI_Testall(int requests_count, MPI_Request* requests, int* done, MPI_Status* statuses) {
  count(test);
  return PMPI_Testall(requests_count, requests, done, statuses);
}

// ---- collectives that the kernels use -----------------------------------------------------------

int MPI_Barrier(MPI_Comm comm) {
  count(barrier);
  return PMPI_Barrier(comm);
}

int MPI_Allreduce(const void* data, void* into, int elements, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm) {
  count_collective(allreduce, elements, type);
  return PMPI_Allreduce(data, into, elements, type, op, comm);
}

int MPI_Alltoall(const void* data, int elements, MPI_Datatype type, void* into, int room,
                 MPI_Datatype into_type, MPI_Comm comm) {
  count_collective(alltoall, std::int64_t{elements} * size_of(comm), type);
  return PMPI_Alltoall(data, elements, type, into, room, into_type, comm);
}

int MPI_Alltoallv(const void* data, const int* sizes, const int* places, MPI_Datatype type,
                  void* into, const int* rooms, const int* into_places, MPI_Datatype into_type,
                  MPI_Comm comm) {
  count_collective(alltoallv, std::accumulate(sizes, sizes + size_of(comm), std::int64_t{0}), type);
  return PMPI_Alltoallv(data, sizes, places, type, into, rooms, into_places, into_type, comm);
}

}  // extern "C"
