// Tasuki inside an existing MPI program: runs on the ranks of a communicator, and makes teams of
// communicators.
//
// Included by programs that use MPI themselves; everything is inline, so that Tasuki itself is
// compiled without any MPI. The program may go on using MPI between and inside runs.
//
// Thread-safety: as MPI_THREAD_FUNNELED: the thread that called MPI_Init.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <numeric>
#include <tasuki/run.hpp>
#include <tasuki/team.hpp>
#include <vector>

namespace tasuki {
namespace runtime {

/// Like run_ranks, over the MPI_Comm that `communicator` points to.
int run_ranks_on(const void* communicator, int (*main)(void*), void* argument);

/// A number that the ranks of a communicator agree on, different for each team made.
inline std::uint64_t agree_on_name(MPI_Comm communicator) {
  static std::uint64_t made_count = 0;
  std::uint64_t name = static_cast<std::uint64_t>(rank()) << 32U | ++made_count;
  MPI_Bcast(&name, 1, MPI_UINT64_T, 0, communicator);
  return name;
}

}  // namespace runtime

/// Runs `main` on every rank of `communicator`; tasuki::rank() is the rank in it. Returns as
/// tasuki::run does. MPI stays initialised. Collective over `communicator`.
/// Example: examples/inside_mpi.cpp
template <class Main>
int run(MPI_Comm communicator, Main main) {
  return runtime::run_ranks_on(static_cast<const void*>(&communicator), &runtime::call_main<Main>,
                               static_cast<void*>(&main));
}

/// The team of the ranks of `communicator`, in its order. `job` is the communicator that Tasuki
/// runs on. Collective over `communicator`. Example: examples/inside_mpi.cpp
inline Team team_from(MPI_Comm communicator, MPI_Comm job = MPI_COMM_WORLD) {
  MPI_Group members = MPI_GROUP_NULL;
  MPI_Group everybody = MPI_GROUP_NULL;
  MPI_Comm_group(communicator, &members);
  MPI_Comm_group(job, &everybody);
  int size = 0;
  MPI_Group_size(members, &size);
  std::vector<int> places(static_cast<std::size_t>(size));
  std::vector<int> world_ranks(places.size());
  std::iota(places.begin(), places.end(), 0);
  MPI_Group_translate_ranks(members, size, places.data(), everybody, world_ranks.data());
  MPI_Group_free(&members);
  MPI_Group_free(&everybody);
  return team_of(std::move(world_ranks), runtime::agree_on_name(communicator));
}

}  // namespace tasuki
