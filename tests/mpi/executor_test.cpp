// Every algorithm that messages carry, over MPI point-to-point, against the collectives of the MPI
// library. A plain MPI program: each rank ends with 1 if something was wrong there.
#include <fmt/format.h>
#include <tasuki/coll/reduction.hpp>
#include <tasuki/coll/registry.hpp>
#include <tasuki/mpi/executor.hpp>

#include <cstdint>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

namespace {

using tasuki::coll::AlgorithmDescriptor;
using tasuki::coll::Collective;
using tasuki::coll::Shape;
using Words = std::vector<std::uint32_t>;

const MPI_Datatype word = MPI_UINT32_T;
const MPI_Comm all = MPI_COMM_WORLD;

std::vector<int> ints(const std::vector<std::size_t>& counts) {
  return {counts.begin(), counts.end()};
}

std::vector<int> starts(const std::vector<std::size_t>& counts) {
  std::vector<int> sums(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), sums.begin(), 0);
  return sums;
}

/// Blocks of different sizes, some empty.
Shape shape_of(Collective collective, int rank, int ranks, std::size_t count) {
  Shape shape;
  shape.rank = rank;
  shape.ranks = ranks;
  shape.root = ranks / 2;
  shape.element_bytes = sizeof(std::uint32_t);
  shape.count = count;
  std::vector<std::size_t> counts(static_cast<std::size_t>(ranks));
  for (std::size_t i = 0; i < counts.size(); ++i) counts[i] = i % 3 == 1 ? 0 : count + i;
  if (!varies(collective)) return shape;
  const std::size_t own = counts[static_cast<std::size_t>(rank)];
  shape.count = own;
  shape.receive_counts = counts;
  shape.send_counts = counts;
  if (collective == Collective::alltoallv) shape.send_counts.assign(counts.size(), own);
  return shape;
}

/// The forms whose blocks all have one size.
void run_library(Collective collective, const Shape& shape, const Words& in, Words& out) {
  const int n = static_cast<int>(shape.count);
  switch (collective) {
    case Collective::barrier:
      MPI_Barrier(all);
      break;
    case Collective::broadcast:
      MPI_Bcast(out.data(), n, word, shape.root, all);
      break;
    case Collective::reduce:
      MPI_Reduce(in.data(), out.data(), n, word, MPI_SUM, shape.root, all);
      break;
    case Collective::allreduce:
      MPI_Allreduce(in.data(), out.data(), n, word, MPI_SUM, all);
      break;
    case Collective::gather:
      MPI_Gather(in.data(), n, word, out.data(), n, word, shape.root, all);
      break;
    case Collective::scatter:
      MPI_Scatter(in.data(), n, word, out.data(), n, word, shape.root, all);
      break;
    case Collective::allgather:
      MPI_Allgather(in.data(), n, word, out.data(), n, word, all);
      break;
    case Collective::alltoall:
      MPI_Alltoall(in.data(), n, word, out.data(), n, word, all);
      break;
    case Collective::reduce_scatter_block:
      MPI_Reduce_scatter_block(in.data(), out.data(), n, word, MPI_SUM, all);
      break;
    case Collective::scan:
      MPI_Scan(in.data(), out.data(), n, word, MPI_SUM, all);
      break;
    default:
      MPI_Exscan(in.data(), out.data(), n, word, MPI_SUM, all);
      break;
  }
}

void run_library_v(Collective collective, const Shape& shape, const Words& in, Words& out) {
  const int n = static_cast<int>(shape.count);
  const std::vector<int> sent = ints(shape.send_counts);
  const std::vector<int> sent_at = starts(shape.send_counts);
  const std::vector<int> received = ints(shape.receive_counts);
  const std::vector<int> received_at = starts(shape.receive_counts);
  switch (collective) {
    case Collective::gatherv:
      MPI_Gatherv(in.data(), n, word, out.data(), received.data(), received_at.data(), word,
                  shape.root, all);
      break;
    case Collective::scatterv:
      MPI_Scatterv(in.data(), sent.data(), sent_at.data(), word, out.data(), n, word, shape.root,
                   all);
      break;
    case Collective::allgatherv:
      MPI_Allgatherv(in.data(), n, word, out.data(), received.data(), received_at.data(), word,
                     all);
      break;
    case Collective::alltoallv:
      MPI_Alltoallv(in.data(), sent.data(), sent_at.data(), word, out.data(), received.data(),
                    received_at.data(), word, all);
      break;
    default:
      MPI_Reduce_scatter(in.data(), out.data(), received.data(), word, MPI_SUM, all);
      break;
  }
}

/// What goes in, what lies in the output before, and what the library makes of it.
struct Example {
  Shape shape;
  Words input, before, expected;

  Example(Collective collective, int rank, int ranks, std::size_t count)
      : shape(shape_of(collective, rank, ranks, count)),
        input(input_count(collective, shape)),
        before(output_count(collective, shape), 77) {
    std::iota(input.begin(), input.end(), static_cast<std::uint32_t>(rank) * 100'003U);
    if (collective == Collective::broadcast) {
      std::iota(before.begin(), before.end(), static_cast<std::uint32_t>(rank) * 7U);
    }
    expected = before;
    (varies(collective) ? run_library_v : run_library)(collective, shape, input, expected);
  }
};

/// Returns: "" or what was wrong.
std::string check(tasuki::mpi::Executor& executor, const AlgorithmDescriptor& algorithm,
                  const Example& example) {
  const auto parameters = complete(algorithm, {});
  if (!not_usable_because(algorithm, example.shape, parameters).empty()) return {};
  const auto sum = tasuki::coll::reduce_op<std::uint32_t>(tasuki::coll::Sum{});
  for (int repeated = 0; repeated < 2; ++repeated) {  // made, then found again
    Words output = example.before;
    executor.run(algorithm, parameters, example.shape, example.input.data(), output.data(),
                 reduces(algorithm.collective) ? &sum : nullptr);
    if (output != example.expected) {
      return fmt::format("rank {}: {} {} of {} elements gives something else than MPI",
                         executor.rank(), name_of(algorithm.collective), algorithm.name,
                         example.shape.count);
    }
  }
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int wrong_count = 0;
  int checked_count = 0;
  {
    tasuki::mpi::Executor executor(MPI_COMM_WORLD);
    for (const Collective collective : tasuki::coll::all_collectives()) {
      for (const std::size_t count : {0U, 1U, 9U, 5000U}) {
        const Example example(collective, executor.rank(), executor.size(), count);
        for (const auto* algorithm : tasuki::coll::algorithms_of(collective)) {
          // Those with an inquiry are two schedules; only the runtime runs those.
          if (algorithm->make == nullptr) continue;
          const std::string wrong = check(executor, *algorithm, example);
          ++checked_count;
          if (wrong.empty()) continue;
          ++wrong_count;
          std::fprintf(stderr, "%s\n", wrong.c_str());
        }
      }
    }
  }
  MPI_Finalize();
  return wrong_count == 0 && checked_count > 100 ? 0 : 1;
}
