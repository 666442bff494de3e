#include "library.hpp"

#include <numeric>

namespace tasuki::test {
namespace {

using coll::Collective;
using coll::Shape;

const MPI_Datatype word = MPI_UINT64_T;
const MPI_Comm all = MPI_COMM_WORLD;

std::vector<int> ints(const std::vector<std::size_t>& counts) {
  return {counts.begin(), counts.end()};
}

std::vector<int> starts(const std::vector<std::size_t>& counts) {
  std::vector<int> sums(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), sums.begin(), 0);
  return sums;
}

void compose(void* first, void* then, int* count, MPI_Datatype*) {
  const auto* from = static_cast<const std::uint64_t*>(first);
  auto* to = static_cast<std::uint64_t*>(then);
  for (int i = 0; i < *count; ++i) to[i] = Composition{}(from[i], to[i]);
}

/// The forms whose blocks all have one size.
void run_even(Collective collective, const Shape& shape, MPI_Op op, const Words& in, Words& out) {
  const int n = static_cast<int>(shape.count);
  switch (collective) {
    case Collective::barrier:
      MPI_Barrier(all);
      break;
    case Collective::broadcast:
      MPI_Bcast(out.data(), n, word, shape.root, all);
      break;
    case Collective::reduce:
      MPI_Reduce(in.data(), out.data(), n, word, op, shape.root, all);
      break;
    case Collective::allreduce:
      MPI_Allreduce(in.data(), out.data(), n, word, op, all);
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
      MPI_Reduce_scatter_block(in.data(), out.data(), n, word, op, all);
      break;
    case Collective::scan:
      MPI_Scan(in.data(), out.data(), n, word, op, all);
      break;
    default:
      MPI_Exscan(in.data(), out.data(), n, word, op, all);
      break;
  }
}

void run_uneven(Collective collective, const Shape& shape, MPI_Op op, const Words& in, Words& out) {
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
      MPI_Reduce_scatter(in.data(), out.data(), received.data(), word, op, all);
      break;
  }
}

}  // namespace

MPI_Op composition() {
  MPI_Op op = MPI_OP_NULL;
  MPI_Op_create(compose, 0, &op);
  return op;
}

void run_library(Collective collective, const Shape& shape, MPI_Op op, const Words& in,
                 Words& out) {
  (coll::varies(collective) ? run_uneven : run_even)(collective, shape, op, in, out);
}

}  // namespace tasuki::test
