// Shortest paths over MPI: beside sssp_tasuki.cpp, with the same search.
//
// Ranks agree by MPI_Allreduce and exchange requests by MPI_Alltoall: the algorithms of both are
// the library's choice, or its settings'.

#include <algorithm>
#include <cstdint>

#include "common/mpi_count.hpp"
#include "common/mpi_program.hpp"
#include "sssp/node.hpp"

namespace tasuki::sssp {
namespace {

class MpiExchange : public Exchange {
 public:
  explicit MpiExchange(bool split) : Exchange(MPI_Wtime, split) {}

  int rank() const override { return apps::MpiJob::rank(); }
  int ranks() const override { return apps::MpiJob::size(); }
  void barrier() override { MPI_Barrier(MPI_COMM_WORLD); }

  void broadcast(std::span<std::byte> bytes) override {
    while (!bytes.empty()) {
      const std::size_t count = std::min(bytes.size(), most_bytes);
      MPI_Bcast(bytes.data(), static_cast<int>(count), MPI_BYTE, 0, MPI_COMM_WORLD);
      bytes = bytes.subspan(count);
    }
  }

  void allreduce_minimum(std::span<Distance> values) override {
    MPI_Allreduce(MPI_IN_PLACE, values.data(), apps::mpi_count(values.size()), MPI_UINT64_T,
                  MPI_MIN, MPI_COMM_WORLD);
  }

  void alltoall(std::span<const Request> outgoing, std::span<Request> incoming) override {
    // In words, because blocks of more bytes than MPI counts are not rare in a large graph.
    static_assert(sizeof(Request) % sizeof(std::uint64_t) == 0);
    const std::size_t words = outgoing.size_bytes() / sizeof(std::uint64_t);
    const int count = apps::mpi_count(words / static_cast<std::size_t>(ranks()));
    MPI_Alltoall(outgoing.data(), count, MPI_UINT64_T, incoming.data(), count, MPI_UINT64_T,
                 MPI_COMM_WORLD);
  }

  std::vector<Distance> collect(std::span<const Distance> mine) override {
    const int count = apps::mpi_count(mine.size());
    const std::vector<int> counts = apps::MpiJob::gather(count);
    std::vector<int> begins;
    std::size_t total = 0;
    for (const int one : counts) {
      begins.push_back(apps::mpi_count(total));
      total += static_cast<std::size_t>(one);
    }
    std::vector<Distance> all(total);
    MPI_Gatherv(mine.data(), count, MPI_UINT64_T, all.data(), counts.data(), begins.data(),
                MPI_UINT64_T, 0, MPI_COMM_WORLD);
    return all;
  }

 private:
  /// Of one call, whose count is an int.
  static constexpr std::size_t most_bytes = std::size_t{1} << 30;
};

}  // namespace
}  // namespace tasuki::sssp

int main(int argc, char** argv) {
  using namespace tasuki;
  return apps::run_mpi_program(argc, argv, sssp::parse_options,
                               sssp::run<apps::MpiJob, sssp::MpiExchange>);
}
