#include "measure/expected_output.hpp"

#include <algorithm>
#include <cmath>

namespace tasuki::measure {
namespace {

using coll::Collective;

constexpr float tolerance = 1e-4F;  // Of sums of 64 fractions in any order.

/// Elements of the input of one rank, from `first` on.
std::vector<float> part_of(const CheckedCall& call, int rank, std::size_t first) {
  std::vector<float> part(call.count);
  for (std::size_t i = 0; i < part.size(); ++i) part[i] = input_value(rank, first + i, call.seed);
  return part;
}

/// Of the parts from `first` on of ranks 0 to `ranks` - 1.
std::vector<float> sum_of(const CheckedCall& call, int ranks, std::size_t first) {
  std::vector<float> sum(call.count);
  for (std::size_t i = 0; i < sum.size(); ++i) {
    double exact = 0;
    for (int rank = 0; rank < ranks; ++rank) exact += input_value(rank, first + i, call.seed);
    sum[i] = static_cast<float>(exact);
  }
  return sum;
}

/// The parts from `first` on of all ranks, one behind the other.
std::vector<float> joined(const CheckedCall& call, std::size_t first) {
  std::vector<float> all;
  for (int rank = 0; rank < call.ranks; ++rank) {
    const std::vector<float> part = part_of(call, rank, first);
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

void fill(std::vector<float>& input, int rank, std::uint32_t seed) {
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = input_value(rank, i, seed);
}

std::vector<float> expected_output(const CheckedCall& call) {
  const bool is_root = call.rank == call.root;
  const std::size_t block = static_cast<std::size_t>(call.rank) * call.count;
  switch (call.collective) {
    case Collective::broadcast:
      return part_of(call, call.root, 0);
    case Collective::reduce:
      return is_root ? sum_of(call, call.ranks, 0) : std::vector<float>{};
    case Collective::allreduce:
      return sum_of(call, call.ranks, 0);
    case Collective::gather:
      return is_root ? joined(call, 0) : std::vector<float>{};
    case Collective::scatter:
      return part_of(call, call.root, block);
    case Collective::allgather:
      return joined(call, 0);
    case Collective::alltoall:
      return joined(call, block);
    case Collective::reduce_scatter_block:
      return sum_of(call, call.ranks, block);
    case Collective::scan:
      return sum_of(call, call.rank + 1, 0);
    case Collective::exscan:
      return call.rank > 0 ? sum_of(call, call.rank, 0) : std::vector<float>{};
    default:
      return {};
  }
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
