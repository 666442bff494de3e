// Counters of all calls of one routine since the server was started.
//
// Kept by CallLog, which forgets single calls; read for /metrics and the page. Thread-safety: none.
#pragma once

#include <array>
#include <cstdint>

#include "rpc/server/call_record.hpp"
#include "rpc/server/seconds_histogram.hpp"
#include "rpc/wire/call_state.hpp"

namespace tasuki::rpc {

struct CallTotals {
  std::array<std::int64_t, call_state_names.size()> calls_counts{};  ///< By how they ended.
  std::int64_t received_bytes = 0;
  std::int64_t sent_bytes = 0;
  SecondsHistogram client = {};  ///< Whole calls.
  SecondsHistogram queued = {};
  // Of the slowest rank of each call:
  SecondsHistogram receive = {};
  SecondsHistogram compute = {};
  SecondsHistogram send = {};

  /// A call has ended.
  void add(const CallRecord& record) noexcept;
  std::int64_t count(CallState outcome) const noexcept {
    return calls_counts[static_cast<std::size_t>(outcome)];
  }
};

}  // namespace tasuki::rpc
