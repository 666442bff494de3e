// mpcxx_throughput_mpi: the stream by MPI_Send, from rank 0 to rank 1; see throughput.hpp.
#include <mpi.h>

#include <cstddef>
#include <cstdio>
#include <vector>

#include "common/mpi_program.hpp"
#include "mpcxx/throughput.hpp"

namespace {

using namespace tasuki::mpcxx;

double stream(int rank, std::byte* data, std::size_t bytes, std::size_t writes) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (std::size_t write = 0; write < writes; ++write) {
    if (rank == 0) {
      MPI_Send(data, static_cast<int>(bytes), MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
      MPI_Recv(data, static_cast<int>(bytes), MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
  return MPI_Wtime() - start;
}

int measure(const Effort& effort) {
  const int rank = tasuki::apps::MpiJob::rank();
  if (tasuki::apps::MpiJob::size() < 2) {
    std::fputs("mpcxx_throughput_mpi: needs two ranks\n", stderr);
    return 2;
  }
  std::vector<std::byte> data(size_most_bytes + page_bytes);
  measure_throughput(effort, rank == 0, [&](std::size_t bytes, std::size_t writes) {
    return stream(rank, page_in(data.data()), bytes, writes);
  });
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return tasuki::apps::run_mpi_program(argc, argv, parse_effort, measure);
}
