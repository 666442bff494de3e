// The deadlock check: ends the job when every rank is idle while fibers wait, for then nothing can
// ever wake them.
//
// While rank 0 has nothing to do, it asks all ranks again and again whether they are idle, and how
// much has happened there. The poller steps it.
//
// Thread-safety: none; the rank's own thread.
#pragma once

#include <cstdint>
#include <tasuki/detail/runtime/calls/rank.hpp>
#include <vector>

#include "runtime/world/hang_query.hpp"

namespace tasuki::runtime {

/// How long nothing has happened on any rank, as the answers to one query after another tell.
class Standstill {
 public:
  /// Takes the answers of all ranks, in their order, to a query made `age_ns` ago. Returns: can
  /// nothing happen any more, although some fiber waits for it?
  bool is_final(const std::vector<HangAnswer>& answers, std::int64_t age_ns, std::int64_t now_ns);

 private:
  std::vector<std::uint64_t> activity_;  ///< Of each rank, at the last query.
  std::int64_t unchanged_since_ns_ = 0;  ///< Of the activity.
  int equal_answers_count_ = 0;          ///< Queries in a row to which it was, all ranks idle.
};

class DeadlockCheck {
 public:
  DeadlockCheck(Rank& self, const Quiescence& quiescence) : self_(self), query_(self, quiescence) {
    self.deadlock_check = this;
  }

  /// Called while nothing can run.
  void on_idle(std::int64_t time_without_arrivals_ns, std::int64_t now_ns);

 private:
  static void handle_query(Rank& self, int source, Reader& reader);
  static void handle_answer(Rank& self, int source, Reader& reader);
  void conclude();

  Rank& self_;
  std::int64_t next_query_ns_ = 0;
  HangQuery query_;
  Standstill standstill_;
};

}  // namespace tasuki::runtime
