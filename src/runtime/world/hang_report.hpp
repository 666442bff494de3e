// The hang report: prints what every fiber waits for, on which rank, and which calls wait for each
// other.
//
// Asked for by SIGUSR1 on any rank, or by TASUKI_HANG_AFTER seconds without progress. Each rank
// prints its waiting fibers; rank 0 gathers them, follows the calls and names the cycle, the Sync
// that nobody writes, or the rank that does not answer. The poller steps it.
//
// Thread-safety: none; the rank's own thread.
#pragma once

#include <cstdint>
#include <tasuki/detail/runtime/calls/rank.hpp>

#include "runtime/world/hang_query.hpp"
#include "runtime/world/waiting_record.hpp"

namespace tasuki::runtime {

class HangReport {
 public:
  HangReport(Rank& self, const Quiescence& quiescence);

  /// Begins a report if there was a signal, ends one for which answers are missing. Called now and
  /// then, busy or idle.
  void check();
  /// Begins a report if nothing has arrived for too long, and keeps the waiting record. Called
  /// while nothing can run.
  void on_idle(std::int64_t time_without_arrivals_ns);

 private:
  static void handle_request(Rank& self, int source, Reader& reader);
  static void handle_query(Rank& self, int source, Reader& reader);
  static void handle_answer(Rank& self, int source, Reader& reader);
  void request();
  void conclude();

  Rank& self_;
  const Quiescence& quiescence_;
  std::int64_t hang_after_ns_;
  bool has_reported_ = false;  ///< Since something arrived last.
  HangQuery query_;            ///< On rank 0.
  WaitingRecord waiting_record_;
};

}  // namespace tasuki::runtime
