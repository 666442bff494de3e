#include "mpi/wait/job_facts.hpp"

#include "mpi/wait/shared_cores.hpp"

#include <dlfcn.h>
#include <mpi.h>

#include <array>

namespace tasuki::mpi::wait {
namespace {

/// Open MPI yields by itself where its launcher says that ranks share cores.
bool library_yields() {
  const void* const yields = ::dlsym(RTLD_DEFAULT, "opal_progress_yield_when_idle");
  return yields != nullptr && *static_cast<const bool*>(yields);
}

bool threads_call_at_once() {
  int level = MPI_THREAD_SINGLE;
  PMPI_Query_thread(&level);
  return level == MPI_THREAD_MULTIPLE;
}

JobFacts agreed() {
  std::array<int, 3> facts{threads_call_at_once() ? 1 : 0, shares_cores(MPI_COMM_WORLD) ? 1 : 0,
                           library_yields() ? 0 : 1};
  PMPI_Allreduce(MPI_IN_PLACE, facts.data(), facts.size(), MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return {facts[0] == 1, facts[1] == 1, facts[2] == 0};
}

}  // namespace

const JobFacts& job_facts() {
  static const JobFacts facts = agreed();
  return facts;
}

}  // namespace tasuki::mpi::wait
