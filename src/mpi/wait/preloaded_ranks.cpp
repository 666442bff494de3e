#include "mpi/wait/preloaded_ranks.hpp"

#include "mpi/messages/job_end.hpp"
#include "mpi/wait/host_of_rank.hpp"
#include "mpi/wait/ranks_by_host.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <mpi.h>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/error.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <filesystem>
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
// Who is to speak first listens for so long: where ranks share cores, one before it may be late.
constexpr std::chrono::seconds listening{3};
constexpr std::chrono::microseconds nap{50};

/// How long this rank waits for others.
struct Allowed {
  std::chrono::nanoseconds time{};
  std::string failure;  ///< Why it cannot be known; else empty.
};

Allowed start_timeout() {
  try {
    return {std::chrono::duration_cast<std::chrono::nanoseconds>(
                std::chrono::duration<double>(base::setting::start_timeout.seconds())),
            ""};
  } catch (const error& failure) {
    // Without the prefix of what(), which stands before the name of the rank.
    return {{},
            fmt::format("{}: {}. Remedy: {}.", failure.operation(), failure.happened(),
                        failure.remedy())};
  }
}

/// What a rank tells rank 0: nothing if its settings are right, else what is wrong, cut off where
/// it is longer. Rank 0 says it for all, so that there is one error.
using Complaint = std::array<char, 512>;

[[noreturn]] void refuse_setting(int rank, const char* failure) {
  end_job(fmt::format("{}: {}", describe_by_host({rank}, host_of_rank), failure));
}

void refuse_wrong_settings(const std::vector<Complaint>& complaints) {
  for (std::size_t i = 0; i < complaints.size(); ++i) {
    if (complaints[i].front() != 0) refuse_setting(static_cast<int>(i) + 1, complaints[i].data());
  }
}

bool have_come(std::vector<MPI_Request>& requests) {
  int is_done = 0;
  PMPI_Testall(static_cast<int>(requests.size()), requests.data(), &is_done, MPI_STATUSES_IGNORE);
  return is_done != 0;
}

/// Returns: have all come before the end? It sleeps between polls, as ranks may share cores.
bool await(std::vector<MPI_Request>& requests, Clock::time_point end) {
  while (!have_come(requests)) {
    // They may have come while this rank had no core.
    if (Clock::now() > end) return have_come(requests);
    std::this_thread::sleep_for(nap);
  }
  return true;
}

/// The file that is preloaded; this code is in another one of its folder.
std::string library_path() {
  constexpr const char* name = "libtasuki_mpi.so";
  Dl_info found{};
  const auto* const own = reinterpret_cast<const void*>(&require_library_in_all_ranks);
  if (::dladdr(own, &found) == 0) return name;
  return std::filesystem::path(found.dli_fname).replace_filename(name);
}

/// Why they are silent is not known here.
[[noreturn]] void refuse(const std::vector<int>& silent, Clock::time_point begin) {
  end_job(fmt::format(
      "run --tuned: {} did not say within {:.1f} s that Tasuki's library is there, which this rank"
      " has in {}. Remedy: if hosts lack that file, install Tasuki in the same folder of all hosts;"
      " if the launcher does not pass on its environment, as mpirun with -x, let it pass on"
      " LD_PRELOAD, {} and {}; if ranks start late, raise {}; or run the program without --tuned",
      describe_by_host(silent, host_of_rank),
      std::chrono::duration<double>(Clock::now() - begin).count(), library_path(),
      base::setting::tuned.name, base::setting::predict.name, base::setting::start_timeout.name));
}

void meet_others(int size) {
  const auto others_count = static_cast<std::size_t>(size - 1);
  std::vector<MPI_Request> requests(others_count);
  std::vector<Complaint> complaints(others_count);
  for (int rank = 1; rank < size; ++rank) {
    const auto i = static_cast<std::size_t>(rank - 1);
    PMPI_Irecv(complaints[i].data(), static_cast<int>(complaints[i].size() - 1), MPI_BYTE, rank,
               tag, MPI_COMM_WORLD, &requests[i]);
  }
  const Clock::time_point begin = Clock::now();
  const Allowed allowed = start_timeout();
  if (!allowed.failure.empty()) end_job(allowed.failure);
  const bool have_all_come = await(requests, begin + allowed.time);
  std::vector<int> silent;
  for (std::size_t i = 0; !have_all_come && i < others_count; ++i) {
    int has_come = 0;
    PMPI_Test(&requests[i], &has_come, MPI_STATUS_IGNORE);
    if (has_come == 0) silent.push_back(static_cast<int>(i) + 1);
  }
  refuse_wrong_settings(complaints);
  if (!silent.empty()) refuse(silent, begin);
  for (int rank = 1; rank < size; ++rank) {
    PMPI_Isend(nullptr, 0, MPI_BYTE, rank, tag, MPI_COMM_WORLD,
               &requests[static_cast<std::size_t>(rank - 1)]);
  }
  await(requests, Clock::time_point::max());
}

/// Rank 0 has not answered: the first rank to find it out tells those after it that it says so. To
/// end the job takes a while, in which they would say the same.
void announce(int rank, int size) {
  for (int other = rank + 1; other < size; ++other) {
    MPI_Request request = MPI_REQUEST_NULL;
    PMPI_Isend(nullptr, 0, MPI_BYTE, other, tag, MPI_COMM_WORLD, &request);
    PMPI_Request_free(&request);
  }
}

/// Has a rank before this one announced? It stays unreceived.
bool hears_of_speaker() {
  int is_said = 0;
  PMPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &is_said, MPI_STATUS_IGNORE);
  return is_said != 0;
}

/// Does rank 0 answer while this rank listens to those before it, which may be late too? If one of
/// them speaks, this rank gives it as much time as rank 0 has had.
bool is_answered_late(std::vector<MPI_Request>& requests, std::chrono::nanoseconds allowed) {
  Clock::time_point end = Clock::now() + listening;
  bool has_heard = false;
  while (!have_come(requests)) {
    if (Clock::now() > end) return have_come(requests);
    if (!has_heard && hears_of_speaker()) {
      has_heard = true;
      end = Clock::now() + allowed;
    }
    std::this_thread::sleep_for(nap);
  }
  return true;
}

/// Returns: has it announced that it speaks?
bool meet_first(int rank, int size) {
  const Clock::time_point begin = Clock::now();
  const Allowed own = start_timeout();
  const auto told_bytes = std::min(own.failure.size(), std::tuple_size_v<Complaint> - 1);
  std::vector<MPI_Request> requests(2);
  PMPI_Irecv(nullptr, 0, MPI_BYTE, 0, tag, MPI_COMM_WORLD, requests.data());
  PMPI_Isend(own.failure.data(), static_cast<int>(told_bytes), MPI_BYTE, 0, tag, MPI_COMM_WORLD,
             &requests[1]);
  const std::chrono::nanoseconds allowed = own.time + later + rank * later_by_rank;
  if (await(requests, begin + allowed)) return false;
  announce(rank, size);
  if (rank != 1 && is_answered_late(requests, allowed)) return true;
  // Rank 0 may wait for others still, which this rank has not done for lack of a time.
  if (!own.failure.empty()) refuse_setting(rank, own.failure.c_str());
  refuse({0}, begin);
}

}  // namespace

bool require_library_in_all_ranks() {
  int rank = 0;
  int size = 1;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank != 0) return meet_first(rank, size);
  meet_others(size);
  return false;
}

void take_announcement(int rank) {
  PMPI_Recv(nullptr, 0, MPI_BYTE, rank, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

}  // namespace tasuki::mpi::wait
