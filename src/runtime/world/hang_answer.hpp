// What a rank tells rank 0 when the job seems to hang: what each of its fibers waits for, and
// whether anything can still happen there.
//
// Asked for by HangQuery; rank 0 has one for its HangReport and one for its DeadlockCheck.
// Thread-safety: the rank's own thread; `explain_hang` is a pure function.
#pragma once

#include <cstdint>
#include <string>
#include <tasuki/detail/runtime/calls/rank.hpp>
#include <vector>

#include "runtime/collectives/unfinished_requests.hpp"

namespace tasuki::runtime {

/// One waiting fiber as it travels to rank 0.
struct WaitingFiber {
  std::int32_t rank = -1;         ///< Where it waits.
  std::int32_t caller_rank = -1;  ///< Whose call it serves; -1: the program's main.
  std::uint64_t call_id = 0;
  std::uint8_t kind = 0;  ///< fiber::WaitKind
  std::int32_t awaited_rank = -1;
  std::uint64_t awaited_call_id = 0;
  std::string doing;
  std::string waiting_for;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(rank, caller_rank, call_id, kind, awaited_rank, awaited_call_id, doing, waiting_for);
  }
};

struct HangAnswer {
  std::int32_t rank = -1;
  bool idle = false;  ///< Nothing can run, no time limit is running, no bulk data are coming.
  bool has_waiting = false;    ///< A fiber waits for something other than the end of the program.
  std::uint64_t activity = 0;  ///< Grows with all that happens on the rank but queries.
  UnfinishedRequests unfinished_requests;  ///< What may go on while the rank is idle.
  std::vector<WaitingFiber> fibers;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(rank, idle, has_waiting, activity, unfinished_requests, fibers);
  }
};

/// Grows with all that arrives at the rank but queries.
std::uint64_t arrivals_count(const Rank& self);

/// What the rank answers now.
HangAnswer hang_answer_of(Rank& self);

/// Follows the calls from rank to rank. Returns: lines that name each cycle, what waits for what,
/// and the ranks of which there is no answer.
std::string explain_hang(const std::vector<HangAnswer>& answers, int ranks);

}  // namespace tasuki::runtime
