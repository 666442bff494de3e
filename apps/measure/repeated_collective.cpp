// repeated_collective COLLECTIVE BYTES CALLS: the loop of the analysis of Open MPI's collectives.
//
// Prints one JSON object with the seconds of all calls on the slowest rank. SimGrid runs it, whose
// own options choose the algorithm (Fukui, Ishii 2014). Thread-safety: main thread only.
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "common/json.hpp"
#include "common/mpi_count.hpp"
#include "common/mpi_program.hpp"
#include "measure/loop.hpp"

namespace tasuki::apps {
namespace {

/// Returns: what stands at `index` after a call in which each rank gives its number.
int expected_at(std::size_t index, int block, bool is_alltoall) {
  const int ranks = MpiJob::size();
  return is_alltoall ? static_cast<int>(index) / block : ranks * (ranks - 1) / 2;
}

int repeat(const Loop& loop) {
  const bool is_alltoall = loop.collective == "alltoall";
  const int ranks = MpiJob::size();
  const int block = mpi_count((loop.bytes + sizeof(int) - 1) / sizeof(int));
  const auto blocks_count = static_cast<std::size_t>(is_alltoall ? ranks : 1);
  const std::vector<int> mine(static_cast<std::size_t>(block) * blocks_count, MpiJob::rank());
  std::vector<int> all(mine.size(), -1);
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (std::size_t call = 0; call < loop.calls; ++call) {
    if (is_alltoall) {
      MPI_Alltoall(mine.data(), block, MPI_INT, all.data(), block, MPI_INT, MPI_COMM_WORLD);
    } else {
      MPI_Allreduce(mine.data(), all.data(), block, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
  }
  const std::vector<double> seconds = MpiJob::gather(MPI_Wtime() - start);
  int wrong_count = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i] != expected_at(i, block, is_alltoall)) ++wrong_count;
  }
  const bool verified = std::ranges::count(MpiJob::gather(wrong_count), 0) == ranks;
  if (MpiJob::rank() != 0) return 0;
  const Json found = {{"seconds", std::ranges::max(seconds)}, {"verified", verified}};
  std::puts(to_line(found).c_str());
  return verified ? 0 : 1;
}

}  // namespace
}  // namespace tasuki::apps

int main(int argc, char** argv) {
  return tasuki::apps::run_mpi_program(argc, argv, tasuki::apps::parse_loop, tasuki::apps::repeat);
}
