// The reports of sessions that have ended, for programs that ask for them afterwards.
//
// Kept by GridRPC; the newest ones alone, as a program may begin any number of sessions.
// Thread-safety: any thread.
#pragma once

#include <map>
#include <mutex>
#include <optional>

#include "rpc/client/call_report.hpp"

namespace tasuki::rpc {

class SessionReports {
 public:
  /// That of the lowest number goes when there are more.
  static constexpr std::size_t most_count = 256;

  void add(int session, CallReport report);
  /// Returns: nothing if the session has no report, or it is not kept any more.
  std::optional<CallReport> of(int session) const;

 private:
  mutable std::mutex mutex_;
  std::map<int, CallReport> reports_;
};

}  // namespace tasuki::rpc
