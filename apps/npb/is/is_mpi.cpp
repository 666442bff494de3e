// NPB IS over MPI: beside is_tasuki.cpp, with the same numerical code.
//
// Every rank runs main; keys move by MPI_Alltoallv, sums by MPI_Allreduce.

#include "common/mpi_program.hpp"
#include "npb/is/node.hpp"

namespace tasuki::npb::is {
namespace {

class MpiExchange {
 public:
  explicit MpiExchange(bool split) : stopwatch_(MPI_Wtime, split) {}

  Stopwatch& stopwatch() noexcept { return stopwatch_; }

  void reserve(std::size_t count) { inbox_.resize(count); }

  void sum(std::span<std::int32_t> values) {
    const Stopwatch::Communication clocked(stopwatch_);
    stopwatch_.count(1, values.size_bytes());
    MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_INT32_T,
                  MPI_SUM, MPI_COMM_WORLD);
  }

  void sum_parts(std::span<const std::int32_t> counts, std::span<std::int32_t> sums,
                 std::span<const std::size_t> sizes) {
    const Stopwatch::Communication clocked(stopwatch_);
    stopwatch_.count(1, counts.size_bytes());
    const std::vector<int> counts_by_rank(sizes.begin(), sizes.end());
    MPI_Reduce_scatter(counts.data(), sums.data(), counts_by_rank.data(), MPI_INT32_T, MPI_SUM,
                       MPI_COMM_WORLD);
  }

  std::span<const Key> move_keys(std::span<const Key> grouped, std::span<const std::size_t> begins,
                                 std::size_t count) {
    const Stopwatch::Communication clocked(stopwatch_);
    const auto ranks = static_cast<std::size_t>(MpiJob::size());
    const auto me = static_cast<std::size_t>(MpiJob::rank());
    std::vector<int> sent(ranks);
    for (std::size_t rank = 0; rank < ranks; ++rank)
      sent[rank] = rank == me ? 0 : static_cast<int>(begins[rank + 1] - begins[rank]);
    std::vector<int> received(ranks);
    stopwatch_.count(1, ranks * sizeof(int));
    MPI_Alltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, MPI_COMM_WORLD);

    const std::vector<int> sent_begins(begins.begin(), begins.end() - 1);
    std::vector<int> received_begins(ranks);
    std::exclusive_scan(received.begin(), received.end(), received_begins.begin(), 0);
    for (const int keys : sent) {
      if (keys > 0) stopwatch_.count(1, static_cast<std::size_t>(keys) * sizeof(Key));
    }
    MPI_Alltoallv(grouped.data(), sent.data(), sent_begins.data(), MPI_INT32_T, inbox_.data(),
                  received.data(), received_begins.data(), MPI_INT32_T, MPI_COMM_WORLD);
    return std::span(inbox_).first(count);
  }

 private:
  Stopwatch stopwatch_;
  HugeArray<Key> inbox_;  ///< Keys from the other ranks.
};

}  // namespace
}  // namespace tasuki::npb::is

int main(int argc, char** argv) {
  using namespace tasuki::npb;
  return run_mpi_program(argc, argv, parse_options, is::run<MpiJob, is::MpiExchange>);
}
