// A plug-in whose MPI is slow: what takes a network long, collectives and large messages, is not
// complete for some seconds. All else is as in the plug-in that it wraps.
#include <chrono>
#include <cstdint>
#include <unordered_map>

#include "transport/mpi/functions.hpp"

/// That of the real plug-in, which is compiled under this name into this one.
extern "C" const tasuki::transport::mpi::Functions* tasuki_real_mpi_functions();

namespace tasuki::transport::mpi {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t slow_least_bytes = 65'536;
constexpr std::chrono::seconds time_taken{6};

std::unordered_map<std::uint64_t, Clock::time_point> ends;  ///< Of slow requests, by their word.

void slow_down(const Request& request) { ends[request.word] = Clock::now() + time_taken; }

bool is_under_way(const Request& request) {
  const auto found = ends.find(request.word);
  if (found == ends.end()) return false;
  if (Clock::now() < found->second) return true;
  ends.erase(found);
  return false;
}

int send(void* communicator, const void* data, std::size_t bytes, int rank, int tag,
         Request* request, bool* is_done) {
  const int failure =
      tasuki_real_mpi_functions()->send(communicator, data, bytes, rank, tag, request, is_done);
  if (!*is_done && bytes >= slow_least_bytes) slow_down(*request);
  return failure;
}

int receive(void* communicator, void* data, std::size_t bytes, int source, int tag,
            Request* request) {
  const int failure =
      tasuki_real_mpi_functions()->receive(communicator, data, bytes, source, tag, request);
  if (bytes >= slow_least_bytes) slow_down(*request);
  return failure;
}

int start_collective(void* communicator, const MpiCollective* call, Request* request) {
  const int failure = tasuki_real_mpi_functions()->start_collective(communicator, call, request);
  slow_down(*request);
  return failure;
}

int test(Request* request, bool* is_done, Status* status) {
  *is_done = false;
  if (is_under_way(*request)) return 0;
  return tasuki_real_mpi_functions()->test(request, is_done, status);
}

int test_any(Request* requests, int count, int* index, bool* is_done, Status* status) {
  *is_done = false;
  for (int i = 0; i < count && !*is_done; ++i) {
    *index = i;
    const int failure = test(&requests[i], is_done, status);
    if (failure != 0) return failure;
  }
  return 0;
}

Functions slow_functions() {
  Functions functions = *tasuki_real_mpi_functions();
  functions.send = &send;
  functions.receive = &receive;
  functions.start_collective = &start_collective;
  functions.test = &test;
  functions.test_any = &test_any;
  return functions;
}

}  // namespace
}  // namespace tasuki::transport::mpi

extern "C" const tasuki::transport::mpi::Functions* tasuki_mpi_functions() {
  static const tasuki::transport::mpi::Functions functions =
      tasuki::transport::mpi::slow_functions();
  return &functions;
}
