// A shape: what a collective is asked to do, as one rank sees it.
//
// Made from a call by the runtime or by the executor for MPI programs; read by the algorithms.
// Thread-safety: values.
#pragma once

#include <cstddef>
#include <vector>

#include <tasuki/detail/base/arithmetic.hpp>
#include <tasuki/detail/coll/collective.hpp>

namespace tasuki::coll {

class Placement;

/// `count` is described per collective in collective.hpp. The v-forms give one count and one
/// displacement per rank, in elements, for the side that varies (alltoallv: for both);
/// empty displacements mean that the blocks lie one after the other.
struct Shape {
  int ranks = 1;
  int rank = 0;
  int root = 0;
  std::size_t element_bytes = 1;
  std::size_t count = 0;
  bool commutative = false;  ///< May the operands of the reduction be exchanged?
  /// Must the bits of a reduction follow from the inputs, the count and the number of ranks alone?
  bool reproducible = false;
  /// The input is the output buffer itself (reduce, allreduce, scan, exscan only). The others
  /// take a rank's self block in its final place when input and output point there.
  bool in_place = false;
  base::Arithmetic arithmetic = {};  ///< Of the reduction, if it has a name.
  /// Where the ranks are; nullptr: not known, or all on one node. Not owned.
  const Placement* placement = nullptr;
  std::vector<std::size_t> send_counts = {}, send_displacements = {};
  std::vector<std::size_t> receive_counts = {}, receive_displacements = {};

  bool operator==(const Shape&) const = default;
};

/// Elements of the input and of the output buffer that a rank of this shape has.
std::size_t input_count(Collective collective, const Shape& shape);
std::size_t output_count(Collective collective, const Shape& shape);

/// The elements of all ranks' blocks together, as the receive counts or `count` say.
std::size_t total_receive_count(const Shape& shape);

/// The elements by which all ranks know the size: `count`, or those of the longest block of
/// allgatherv and reduce_scatter. Requires: has_common_count(collective). (Not an optional number:
/// GCC 12 returns one through memory in a way that costs small collectives 5 ns.)
std::size_t common_count(Collective collective, const Shape& shape) noexcept;

/// Throws tasuki::error if the shape makes no sense for the collective: rank or root out of
/// range, a missing or short list of counts, blocks that no memory can hold, an self block that is
/// not received as it is sent, in place where there is no such form.
void check(Collective collective, const Shape& shape);

}  // namespace tasuki::coll
