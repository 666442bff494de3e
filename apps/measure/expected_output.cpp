#include "measure/expected_output.hpp"

#include <algorithm>
#include <cmath>

namespace tasuki::measure {
namespace {

using coll::Collective;

constexpr float tolerance = 1e-4F;  // Of sums of 64 fractions in any order.

/// `count` elements of the input of one rank, from `first` on.
std::vector<float> part_of(const CheckedCall& call, int rank, std::size_t first,
                           std::size_t count) {
  std::vector<float> part(count);
  for (std::size_t i = 0; i < part.size(); ++i) part[i] = input_value(rank, first + i, call.seed);
  return part;
}

/// Of the parts from `first` on of ranks 0 to `ranks` - 1.
std::vector<float> sum_of(const CheckedCall& call, int ranks, std::size_t first,
                          std::size_t count) {
  std::vector<float> sum(count);
  for (std::size_t i = 0; i < sum.size(); ++i) {
    double exact = 0;
    for (int rank = 0; rank < ranks; ++rank) exact += input_value(rank, first + i, call.seed);
    sum[i] = static_cast<float>(exact);
  }
  return sum;
}

/// Elements that rank `from` has for rank `to`, or in an allgather for all.
std::size_t block_count(const CheckedCall& call, int from, int to) {
  return coll::varies(call.collective) ? varying_count(call.count, from, to) : call.count;
}

/// Where the block for rank `to` begins in the input of rank `from`.
std::size_t block_begin(const CheckedCall& call, int from, int to) {
  std::size_t begin = 0;
  for (int before = 0; before < to; ++before) begin += block_count(call, from, before);
  return begin;
}

/// The one block of each rank, one behind the other.
std::vector<float> gathered(const CheckedCall& call) {
  std::vector<float> all;
  for (int rank = 0; rank < call.ranks; ++rank) {
    const std::vector<float> part = part_of(call, rank, 0, block_count(call, 0, rank));
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

/// What each rank has for this one, one behind the other.
std::vector<float> exchanged(const CheckedCall& call) {
  std::vector<float> all;
  for (int rank = 0; rank < call.ranks; ++rank) {
    const std::vector<float> part =
        part_of(call, rank, block_begin(call, rank, call.rank), block_count(call, rank, call.rank));
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

}  // namespace

float input_value(int rank, std::size_t index, std::uint32_t seed) {
  const auto mixed =
      static_cast<std::uint32_t>(index) * 31U + static_cast<std::uint32_t>(rank) * 17U;
  return 1.0F / static_cast<float>(1 + (mixed + seed) % 97U);
}

std::size_t varying_count(std::size_t count, int from, int to) {
  const int kind = (2 * from + to) % 3;
  if (kind == 1) return 0;
  return kind == 0 ? count : count - count / 3;
}

void fill(std::vector<float>& input, int rank, std::uint32_t seed) {
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = input_value(rank, i, seed);
}

std::vector<float> expected_output(const CheckedCall& call) {
  const bool is_root = call.rank == call.root;
  // Of the block of this rank, where the senders' blocks are alike.
  const std::size_t first = block_begin(call, 0, call.rank);
  const std::size_t own = block_count(call, 0, call.rank);
  switch (call.collective) {
    case Collective::broadcast:
      return part_of(call, call.root, 0, call.count);
    case Collective::reduce:
      return is_root ? sum_of(call, call.ranks, 0, call.count) : std::vector<float>{};
    case Collective::allreduce:
      return sum_of(call, call.ranks, 0, call.count);
    case Collective::gather:
    case Collective::gatherv:
      return is_root ? gathered(call) : std::vector<float>{};
    case Collective::scatter:
    case Collective::scatterv:
      return part_of(call, call.root, first, own);
    case Collective::allgather:
    case Collective::allgatherv:
      return gathered(call);
    case Collective::alltoall:
    case Collective::alltoallv:
      return exchanged(call);
    case Collective::reduce_scatter_block:
    case Collective::reduce_scatter:
      return sum_of(call, call.ranks, first, own);
    case Collective::scan:
      return sum_of(call, call.rank + 1, 0, call.count);
    case Collective::exscan:
      return call.rank > 0 ? sum_of(call, call.rank, 0, call.count) : std::vector<float>{};
    case Collective::barrier:
      break;
  }
  return {};
}

bool agrees(const std::vector<float>& output, const std::vector<float>& expected) {
  if (output.size() < expected.size()) return false;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const float allowed = tolerance * std::max(1.0F, std::abs(expected[i]));
    // Turned round, so that no comparison with a NaN passes.
    if (!(std::abs(output[i] - expected[i]) <= allowed)) return false;
  }
  return true;
}

}  // namespace tasuki::measure
