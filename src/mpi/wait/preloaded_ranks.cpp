#include "mpi/wait/preloaded_ranks.hpp"

#include "mpi/messages/job_end.hpp"
#include "mpi/wait/host_of_rank.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <mpi.h>
#include <tasuki/detail/base/settings.hpp>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

namespace tasuki::mpi::wait {
namespace {

using Clock = std::chrono::steady_clock;

// The greatest that every MPI library has (MPI 4.0, 9.1.2). Programs hardly use it, and those that
// do send nothing before their MPI_Init has returned.
constexpr int tag = 32767;
// Rank 0 speaks first, if it has the library; else the lowest of those that have it, alone.
constexpr std::chrono::seconds later{5};
constexpr std::chrono::milliseconds later_by_rank{500};

std::chrono::nanoseconds start_timeout() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
      std::chrono::duration<double>(base::setting::start_timeout.seconds()));
}

/// Returns: have all come before the end? It sleeps between polls, as ranks may share cores.
bool await(std::vector<MPI_Request>& requests, Clock::time_point end) {
  constexpr std::chrono::microseconds nap{50};
  for (;;) {
    int is_done = 0;
    PMPI_Testall(static_cast<int>(requests.size()), requests.data(), &is_done, MPI_STATUSES_IGNORE);
    if (is_done != 0) return true;
    if (Clock::now() > end) return false;
    std::this_thread::sleep_for(nap);
  }
}

/// As in "rank 2 (host h1)" or "ranks 2, 3 (host h1)".
std::string describe(const std::vector<int>& ranks) {
  constexpr std::size_t shown_most = 8;
  std::string numbers;
  for (std::size_t i = 0; i < std::min(ranks.size(), shown_most); ++i) {
    numbers += fmt::format("{}{}", i == 0 ? "" : ", ", ranks[i]);
  }
  if (ranks.size() > shown_most) numbers += ", ...";
  const std::string host = host_of_rank(ranks.front());
  return fmt::format("rank{} {}{}", ranks.size() > 1 ? "s" : "", numbers,
                     host.empty() ? "" : fmt::format(" (host {})", host));
}

/// The file that this code is in.
std::string library_path() {
  Dl_info found{};
  const auto* const own = reinterpret_cast<const void*>(&require_library_in_all_ranks);
  return ::dladdr(own, &found) != 0 ? found.dli_fname : "libtasuki_mpi.so";
}

[[noreturn]] void refuse(const std::vector<int>& without) {
  end_job(
      fmt::format("run --tuned: {} did not load Tasuki's library, which this rank has in {}."
                  " Remedy: install Tasuki in the same folder of all hosts, or run the program"
                  " without --tuned",
                  describe(without), library_path()));
}

void meet_others(int size) {
  const auto others_count = static_cast<std::size_t>(size - 1);
  std::vector<MPI_Request> requests(others_count);
  for (int rank = 1; rank < size; ++rank) {
    PMPI_Irecv(nullptr, 0, MPI_BYTE, rank, tag, MPI_COMM_WORLD,
               &requests[static_cast<std::size_t>(rank - 1)]);
  }
  if (!await(requests, Clock::now() + start_timeout())) {
    std::vector<int> without;
    for (std::size_t i = 0; i < others_count; ++i) {
      int has_come = 0;
      PMPI_Test(&requests[i], &has_come, MPI_STATUS_IGNORE);
      if (has_come == 0) without.push_back(static_cast<int>(i) + 1);
    }
    refuse(without);
  }
  for (int rank = 1; rank < size; ++rank) {
    PMPI_Isend(nullptr, 0, MPI_BYTE, rank, tag, MPI_COMM_WORLD,
               &requests[static_cast<std::size_t>(rank - 1)]);
  }
  await(requests, Clock::time_point::max());
}

/// Rank 0 does not speak: the first rank to find that out tells those after it that it does. To end
/// the job takes a while, in which they would say the same.
void speak_for_first(int rank, int size) {
  int is_said = 0;
  PMPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &is_said, MPI_STATUS_IGNORE);
  if (is_said != 0) std::this_thread::sleep_for(start_timeout());
  for (int other = rank + 1; other < size; ++other) {
    MPI_Request request = MPI_REQUEST_NULL;  // The job ends before anybody has received it.
    PMPI_Isend(nullptr, 0, MPI_BYTE, other, tag, MPI_COMM_WORLD, &request);
  }
  refuse({0});
}

void meet_first(int rank, int size) {
  std::vector<MPI_Request> requests(2);
  PMPI_Irecv(nullptr, 0, MPI_BYTE, 0, tag, MPI_COMM_WORLD, requests.data());
  PMPI_Isend(nullptr, 0, MPI_BYTE, 0, tag, MPI_COMM_WORLD, &requests[1]);
  if (!await(requests, Clock::now() + start_timeout() + later + rank * later_by_rank)) {
    speak_for_first(rank, size);
  }
}

}  // namespace

void require_library_in_all_ranks() {
  int rank = 0;
  int size = 1;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0) {
    meet_others(size);
  } else {
    meet_first(rank, size);
  }
}

}  // namespace tasuki::mpi::wait
