// A schedule: one rank's part of a collective, as data.
//
// An algorithm is a pure function `Schedule f(const Shape&, const Parameters&)`; executors (the
// runtime, MPI point-to-point, a simulator, the tests) carry schedules out. A schedule is a list
// of rounds. All sends and receives of a round may be in flight together; its local steps
// (`reduce`, `copy`) run in order once the round's receives are complete; the next round starts
// when all steps of the round are done. Messages between two ranks match in the order in which
// the two schedules list them.
//
// Thread-safety: values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tasuki::coll {

/// The buffers that steps refer to. Input is the user's send buffer and is never written; output
/// is the user's receive buffer; scratch is the executor's.
enum class Buffer : std::uint8_t { input, output, scratch };

/// A range of whole elements in one buffer.
struct Slice {
  Buffer buffer = Buffer::input;
  std::size_t offset = 0;  ///< In elements.
  std::size_t count = 0;   ///< In elements.
};

enum class StepKind : std::uint8_t {
  send,     ///< `from` to `peer`.
  receive,  ///< Into `to` from `peer`.
  copy,     ///< `to` = `from`; the slices do not overlap.
  reduce,   ///< `to` = `from` OP `to`: `from` is the left operand (matters if not commutative).
  reduce_right,  ///< `to` = `to` OP `from`.
};

struct Step {
  StepKind kind;
  int peer = -1;  ///< Rank within the team; -1 for local steps.
  Slice from;
  Slice to;
};

struct Round {
  std::vector<Step> steps;  ///< Sends and receives first, then local steps.
};

struct Schedule {
  std::vector<Round> rounds;
  std::size_t scratch_count = 0;  ///< Elements of scratch needed.
};

/// What a collective is asked to do, as rank `rank` of `ranks` sees it.
///
/// `count` is the number of elements of: the whole vector (broadcast, reduce, allreduce, scan);
/// one rank's block (gather, allgather, scatter, alltoall). For the v-forms `counts`/
/// `displacements` are one entry per rank, in elements, of the side that varies; alltoallv has both
/// sides. Input and output layouts follow MPI-4.0, chapter 6.
struct Shape {
  int ranks = 1;
  int rank = 0;
  int root = 0;
  std::size_t element_bytes = 1;
  std::size_t count = 0;
  bool commutative = true;
  std::vector<std::size_t> send_counts, send_displacements;
  std::vector<std::size_t> receive_counts, receive_displacements;
};

}  // namespace tasuki::coll
