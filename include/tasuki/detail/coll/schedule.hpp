// A schedule: one rank's part of a collective, as flat data.
//
// Algorithms are pure functions that return schedules (algorithm.hpp); executors carry them out
// (executor.hpp: the generic one; also MPI point-to-point, a simulator, the tests). A schedule is
// a list of rounds. A round has transfers, which may all be in flight together, and local steps,
// which run in order once all transfers of the round are complete; then the next round starts.
// The n-th transfer from rank a to rank b in a's schedule meets the n-th receive from a in b's.
// docs/design/schedules.md says why it looks like this and what every schedule keeps to.
//
// Thread-safety: values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
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

  /// The part of it that starts `skip` elements in. Requires: skip + part_count <= count.
  constexpr Slice part(std::size_t skip, std::size_t part_count) const {
    return {buffer, offset + skip, part_count};
  }
};

/// A message: of `slice` to `peer`, or from `peer` into `slice`. An empty slice is a bare signal.
struct Transfer {
  int peer = -1;               ///< Rank within the team, never the rank itself.
  std::uint32_t sequence = 0;  ///< Earlier transfers to (or from) this peer in this schedule.
  Slice slice;
};

enum class LocalKind : std::uint8_t {
  copy,          ///< to = from; the slices do not overlap (they may be the same address).
  reduce,        ///< to = from OP to: `from` is the left operand (matters if not commutative).
  reduce_right,  ///< to = to OP from.
};

/// Work on this rank's own memory.
struct LocalStep {
  LocalKind kind = LocalKind::copy;
  Buffer from = Buffer::input;
  Buffer to = Buffer::output;
  std::size_t from_offset = 0;  ///< In elements, like all that follow.
  std::size_t to_offset = 0;
  std::size_t count = 0;
};

/// Where the round ends in the arrays of its schedule; it starts where the previous one ends.
struct Round {
  std::uint32_t receives_end = 0;   ///< In `transfers`: first the receives ...
  std::uint32_t transfers_end = 0;  ///< ... then the sends.
  std::uint32_t locals_end = 0;     ///< In `locals`.
};

/// What one round does, as views into its schedule.
struct RoundView {
  std::span<const Transfer> receives;
  std::span<const Transfer> sends;
  std::span<const LocalStep> locals;
};

/// Built by ScheduleBuilder; read by executors.
struct Schedule {
  std::vector<Round> rounds;
  std::vector<Transfer> transfers;
  std::vector<LocalStep> locals;
  std::size_t scratch_count = 0;  ///< Elements of scratch needed.

  RoundView round(std::size_t index) const {
    const Round begin = index == 0 ? Round{} : rounds[index - 1];
    const Round end = rounds[index];
    const Transfer* transfer = transfers.data();
    const LocalStep* local = locals.data();
    return {{transfer + begin.transfers_end, transfer + end.receives_end},
            {transfer + end.receives_end, transfer + end.transfers_end},
            {local + begin.locals_end, local + end.locals_end}};
  }
};

/// The schedule as text, one line per step: for `tasuki explain` and failing tests.
std::string to_text(const Schedule& schedule);

}  // namespace tasuki::coll
