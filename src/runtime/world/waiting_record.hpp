// The waiting record: a file in which an idle rank tells `tasuki run` now and then what its fibers
// wait for. If a host is lost, mpiexec may kill the ranks before they can say so themselves.
//
// HangReport has one. The file has a slot for each rank (docs/design/vanished-hosts.md).
// Thread-safety: none; the rank's own thread.
#pragma once

#include <cstdint>
#include <string>
#include <tasuki/detail/runtime/calls/rank.hpp>
#include <vector>

#include "runtime/world/hang_answer.hpp"

namespace tasuki::runtime {

class WaitingRecord {
 public:
  /// Records nothing if TASUKI_WAITING_RECORD names no file.
  explicit WaitingRecord(Rank& self);
  ~WaitingRecord();
  WaitingRecord(const WaitingRecord&) = delete;
  WaitingRecord& operator=(const WaitingRecord&) = delete;

  /// Called while nothing can run.
  void on_idle(std::int64_t time_without_arrivals_ns);

 private:
  Rank& self_;
  int descriptor_;
  std::int64_t next_time_ns_ = 0;
};

/// What is written into a rank's slot, as python/tasuki/launcher/waiting_record.py reads it. Whole
/// lines that do not fit are left out.
std::string waiting_slot(std::int64_t now_ns, const std::vector<WaitingFiber>& fibers);

}  // namespace tasuki::runtime
