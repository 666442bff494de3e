// A plain MPI program that works for a time, for tests of hosts that vanish meanwhile:
// `mpi_watched_ranks_MPI waits|computes SECONDS`.
//
// The last rank works, the others wait for it in MPI with `waits`, and work too with `computes`.
// Thread-safety: each rank's own thread.
#include <mpi.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

void compute(double seconds) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (std::chrono::steady_clock::now() < until) {
  }
}

}  // namespace

int main(int argument_count, char** arguments) {
  if (argument_count != 3) return 2;
  MPI_Init(&argument_count, &arguments);
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::printf("rank %d is process %d\n", rank, static_cast<int>(::getpid()));
  std::fflush(stdout);
  const bool all_compute = std::strcmp(arguments[1], "computes") == 0;
  if (all_compute || rank == size - 1) compute(std::strtod(arguments[2], nullptr));
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) std::puts("done");
  MPI_Finalize();
  return 0;
}
