// Runs the schedules of all ranks of a collective in one process and finds what is wrong.
//
// Used by the tests of layer coll. Elements are opaque bytes; the production executor carries the
// schedules out over a network that delivers in an order drawn from a seed and completes sends at
// once, later, or only when the receiver is there.
// Thread-safety: none.
#pragma once

#include <tasuki/detail/coll/algorithm.hpp>
#include <tasuki/detail/coll/reduction.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tasuki::coll::checker {

using Bytes = std::vector<std::byte>;

/// What elements are: how to make one, and how to combine two.
struct Field {
  const char* name;
  std::size_t element_bytes;
  ReduceOp op;
  bool commutative;
  void (*generate)(std::uint64_t random, std::byte* element);
};

/// Elements of 4 bytes added modulo 2^32.
const Field& integers();
/// 2 x 2 matrices modulo 251, multiplied: associative, not commutative.
const Field& matrices();
/// Words whose combination is neither associative nor commutative, though it says that it may be
/// exchanged: the result shows the order in which operands were combined, and no other gives it.
const Field& orders();
/// Doubles of very different sizes: addition shows the order in which it was done.
const Field& doubles();

/// One collective on all ranks. `shapes` holds each rank's.
struct Case {
  const AlgorithmDescriptor* algorithm = nullptr;
  Parameters parameters;
  std::vector<Shape> shapes;
  const Field* field = nullptr;
  std::uint64_t seed = 0;        ///< Of the data.
  std::uint64_t order_seed = 0;  ///< Of the order in which things happen.

  std::string to_text() const;
};

/// What each rank has in its output afterwards.
struct Outcome {
  std::string failure;  ///< "" if all went well, else what went wrong first.
  std::vector<Bytes> outputs;
};

/// All ranks' memory before, and the outputs afterwards, by the definition of the collective.
struct Example {
  std::vector<Bytes> inputs, outputs, expected;
};
Example example_of(const Case& one);

/// What is wrong with one rank's schedule by itself: slices outside their buffers, overlaps within
/// a round, writes to the input, wrong peers or numbers. "" if nothing.
std::string validate(const Schedule& schedule, Collective collective, const Shape& shape);

/// Validates all schedules and runs them; the outputs are held against the definition of the
/// collective (but for doubles, whose sums depend on the order).
Outcome run(const Case& one);

/// Same, on given schedules.
Outcome run(const Case& one, const std::vector<Schedule>& schedules);

/// Rounds and elements as counted; see Cost. Requires: the schedules are valid.
Cost measured_cost(const std::vector<Schedule>& schedules, std::size_t ports = 1);

}  // namespace tasuki::coll::checker
