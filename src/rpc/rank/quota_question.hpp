// Asks the front end whether the quota of a user allows something more to stay on the ranks, as
// clients of the user may have the ranks of several modules at once.
//
// Made by the rank's service for a lease to a client of a user with such a quota. Rank 0 asks, and
// the front end answers all ranks, which so decide alike. Thread-safety: none; the thread that runs
// routines.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "rpc/links/kept_quota.hpp"
#include "rpc/links/lost.hpp"
#include "rpc/rank/call_reporter.hpp"
#include "rpc/rank/front_end_link.hpp"
#include "rpc/wire/socket.hpp"

namespace tasuki::rpc {

class QuotaQuestion {
 public:
  /// Another rank waits for `patience` for what rank 0 is told: it may have to wait for the client.
  /// Requires: both outlive it.
  QuotaQuestion(int rank, KeptQuota quota, Socket::Seconds patience, CallReporter& reporter,
                FrontEndLink& front_end);

  /// As KeepLimit::AskQuota, in a call. Throws tasuki::error if the front end does not answer.
  std::optional<Lost> operator()(const std::string& operation, const std::string& name,
                                 std::int64_t bytes) const;

 private:
  int rank_;
  KeptQuota quota_;
  Socket::Seconds patience_;
  CallReporter& reporter_;
  FrontEndLink& front_end_;
};

}  // namespace tasuki::rpc
