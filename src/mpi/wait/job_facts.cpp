#include "mpi/wait/job_facts.hpp"

#include "mpi/messages/library_yields.hpp"
#include "mpi/wait/own_calls.hpp"
#include "mpi/wait/preloaded_ranks.hpp"
#include "mpi/wait/shared_cores.hpp"
#include "transport/shm/file_address.hpp"

#include <mpi.h>

#include <array>
#include <cstddef>
#include <vector>

namespace tasuki::mpi::wait {
namespace {

bool threads_call_at_once() {
  int level = MPI_THREAD_SINGLE;
  PMPI_Query_thread(&level);
  return level == MPI_THREAD_MULTIPLE;
}

/// What each rank tells the others.
struct RankFacts {
  std::uint64_t node;
  cpu_set_t cores;     ///< That it may run on.
  bool has_announced;  ///< See require_library_in_all_ranks.
};

RankFacts own_facts(bool has_announced) {
  RankFacts facts{transport::shm::node_identity(), {}, has_announced};
  CPU_ZERO(&facts.cores);
  ::sched_getaffinity(0, sizeof facts.cores, &facts.cores);
  return facts;
}

/// In the order of the ranks.
std::vector<RankFacts> facts_of_all(bool has_announced) {
  int size = 0;
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  std::vector<RankFacts> all(static_cast<std::size_t>(size));
  allgather(own_facts(has_announced), all.data(), MPI_COMM_WORLD);
  return all;
}

/// Are the ranks of this rank's node more than its cores?
bool shares_cores(const std::vector<RankFacts>& all, int rank) {
  const std::uint64_t node = all[static_cast<std::size_t>(rank)].node;
  std::vector<cpu_set_t> masks;
  for (const RankFacts& one : all) {
    if (one.node == node) masks.push_back(one.cores);
  }
  return are_crowded(masks);
}

JobFacts agreed(bool has_announced) {
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const std::vector<RankFacts> all = facts_of_all(has_announced);
  for (int other = 0; other < rank; ++other) {
    if (all[static_cast<std::size_t>(other)].has_announced) take_announcement(other);
  }
  std::array<int, 3> facts{threads_call_at_once() ? 1 : 0, shares_cores(all, rank) ? 1 : 0,
                           library_yields() ? 0 : 1};
  allreduce(facts, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return {facts[0] == 1, facts[1] == 1, facts[2] == 0};
}

}  // namespace

const JobFacts& job_facts() {
  static const JobFacts facts = agreed(require_library_in_all_ranks());
  return facts;
}

}  // namespace tasuki::mpi::wait
