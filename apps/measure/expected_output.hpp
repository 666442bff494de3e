// The data that collectives are measured with, and what their definitions say they make of it: each
// rank can compute the inputs of all others, so that no algorithm has to be trusted. Sums are of
// float32. Thread-safety: pure functions.
#pragma once

#include <tasuki/detail/coll/collective.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tasuki::measure {

/// Element `index` of the input of rank `rank`: a fraction from 1/97 to 1, so that sums show the
/// order in which they were made.
float input_value(int rank, std::size_t index, std::uint32_t seed);

/// A whole input.
void fill(std::vector<float>& input, int rank, std::uint32_t seed);

/// Where blocks vary: elements that rank `from` has for rank `to` in an alltoallv, or with `from` 0
/// those of rank `to`'s block in the other collectives. From 0 to `count`; 0 for a third of them.
std::size_t varying_count(std::size_t count, int from, int to);

/// One call, as `rank` of `ranks` sees it. `count` elements as Shape counts them, or the most of a
/// block.
struct CheckedCall {
  coll::Collective collective{};
  int rank = 0;
  int ranks = 1;
  int root = 0;
  std::size_t count = 0;
  std::uint32_t seed = 0;
};

/// The first elements of this rank's output; nothing where the definition leaves it open.
std::vector<float> expected_output(const CheckedCall& call);

/// Begins `output` with what is expected, but for the order in which sums were made?
bool agrees(const std::vector<float>& output, const std::vector<float>& expected);

}  // namespace tasuki::measure
