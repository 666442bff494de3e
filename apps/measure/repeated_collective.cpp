// repeated_collective COLLECTIVE BYTES CALLS: the loop of the analysis of Open MPI's collectives.
//
// Collective is allreduce, of ints, or alltoall, with a block of BYTES for each rank. Prints one
// JSON object with the seconds of all calls on the slowest rank. SimGrid runs it, whose own options
// choose the algorithm (Fukui, Ishii 2014). Thread-safety: main thread only.
#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "common/json.hpp"
#include "common/mpi_count.hpp"
#include "common/mpi_program.hpp"

namespace tasuki::apps {
namespace {

struct Loop {
  bool is_alltoall = false;
  std::size_t bytes = 0;
  std::size_t calls = 0;
};

std::size_t number_of(std::string_view text) {
  std::size_t number = 0;
  const auto [end, failure] = std::from_chars(text.begin(), text.end(), number);
  if (failure != std::errc() || end != text.end() || number == 0)
    throw usage_error(
        fmt::format("tasuki: repeated_collective: {} is no number. Remedy: one from 1 on", text));
  return number;
}

Loop parse_loop(int argc, const char* const* argv) {
  const std::string_view collective = argc == 4 ? argv[1] : "";
  if (collective != "allreduce" && collective != "alltoall")
    throw usage_error(
        "tasuki: repeated_collective: there is no such collective. Remedy: allreduce|alltoall "
        "BYTES CALLS");
  return {collective == "alltoall", number_of(argv[2]), number_of(argv[3])};
}

int repeat(const Loop& loop) {
  const auto ranks = static_cast<std::size_t>(MpiJob::size());
  const int block = mpi_count((loop.bytes + sizeof(int) - 1) / sizeof(int));
  std::vector<int> mine(static_cast<std::size_t>(block) * ranks, 1);
  std::vector<int> all(mine.size());
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (std::size_t call = 0; call < loop.calls; ++call) {
    if (loop.is_alltoall) {
      MPI_Alltoall(mine.data(), block, MPI_INT, all.data(), block, MPI_INT, MPI_COMM_WORLD);
    } else {
      MPI_Allreduce(mine.data(), all.data(), block, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
  }
  const std::vector<double> seconds = MpiJob::gather(MPI_Wtime() - start);
  const int expected = loop.is_alltoall ? 1 : MpiJob::size();
  const bool verified =
      std::ranges::all_of(MpiJob::gather(all[0]), [&](int value) { return value == expected; });
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
