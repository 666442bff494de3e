// MPI_Alltoall by Open MPI's algorithm "linear with sync", which SimGrid lacks: of receives, and of
// sends, at most so many are under way; when one has completed the next begins (coll/tuned of Open
// MPI, algorithm 4). By MPI's profiling interface.
//
// Linked into programs that SimGrid runs. ALLTOALL_MAX_REQUESTS is Open MPI's setting
// coll_tuned_alltoall_algorithm_max_requests, where 0 means no limit. Where it is not set the
// algorithm is SimGrid's choice. Thread-safety: for programs that call MPI from one thread.
#include <mpi.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

MPI_Aint bytes_of(int elements, MPI_Datatype type) {
  MPI_Aint lower_bound = 0;
  MPI_Aint extent_bytes = 0;
  PMPI_Type_get_extent(type, &lower_bound, &extent_bytes);
  return elements * extent_bytes;
}

/// Calls `receive(distance, request)` and `send(distance, request)` for each distance from 1 to
/// `most`; of each direction `limit` requests are under way at most.
template <class Receive, class Send>
void exchange(int most, int limit, const Receive& receive, const Send& send) {
  std::vector<MPI_Request> requests(2 * static_cast<std::size_t>(limit), MPI_REQUEST_NULL);
  int received_most = 0;
  int sent_most = 0;
  const auto start_next = [&](int index) {
    MPI_Request& request = requests[static_cast<std::size_t>(index)];
    if (index < limit && received_most < most) receive(++received_most, request);
    if (index >= limit && sent_most < most) send(++sent_most, request);
  };
  const int requests_count = static_cast<int>(requests.size());
  int index = 0;
  while (index < requests_count) start_next(index++);
  while (PMPI_Waitany(requests_count, requests.data(), &index, MPI_STATUS_IGNORE) == MPI_SUCCESS &&
         index != MPI_UNDEFINED) {
    start_next(index);
  }
}

/// Ends the job unless `setting` is a number of requests.
int requests_max(const char* setting, int rank) {
  int limit = -1;
  const char* const end = setting + std::strlen(setting);
  const auto [stop, failure] = std::from_chars(setting, end, limit);
  if (failure != std::errc() || stop != end || limit < 0) {
    constexpr const char* text =
        "rank %d: MPI_Alltoall: ALLTOALL_MAX_REQUESTS=%s is no number of requests. Remedy: set "
        "it to a number (0: no limit), or leave it unset\n";
    std::fprintf(stderr, text, rank, setting);
    std::_Exit(1);  // SimGrid's MPI_Abort ends this rank alone, and the job then with success.
  }
  return limit;
}

}  // namespace

/// Requires: types without gaps, no MPI_IN_PLACE.
extern "C" int MPI_Alltoall(const void* data, int elements, MPI_Datatype type, void* into, int room,
                            MPI_Datatype into_type, MPI_Comm comm) {
  const char* const setting = std::getenv("ALLTOALL_MAX_REQUESTS");
  if (setting == nullptr) return PMPI_Alltoall(data, elements, type, into, room, into_type, comm);
  int rank = 0;
  int ranks = 0;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &ranks);
  const MPI_Aint sent_bytes = bytes_of(elements, type);
  const MPI_Aint received_bytes = bytes_of(room, into_type);
  const auto from = [&](int target) {
    return static_cast<const char*>(data) + target * sent_bytes;
  };
  const auto to = [&](int source) { return static_cast<char*>(into) + source * received_bytes; };
  std::memcpy(to(rank), from(rank), static_cast<std::size_t>(sent_bytes));
  const int others = ranks - 1;
  const int limit = requests_max(setting, rank);
  exchange(
      others, limit == 0 ? others : std::min(limit, others),
      [&](int distance, MPI_Request& request) {
        const int source = (rank + distance) % ranks;
        PMPI_Irecv(to(source), room, into_type, source, 0, comm, &request);
      },
      [&](int distance, MPI_Request& request) {
        const int target = (rank + ranks - distance) % ranks;
        PMPI_Isend(from(target), elements, type, target, 0, comm, &request);
      });
  return MPI_SUCCESS;
}
