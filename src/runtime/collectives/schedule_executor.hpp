// What carries schedules out by messages: for a fiber that waits, and for futures.
//
// Owned by the collectives. Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <memory>
#include <tasuki/detail/coll/schedule.hpp>
#include <tasuki/detail/runtime/calls/rank.hpp>
#include <tasuki/detail/runtime/collectives/collective_call.hpp>
#include <tasuki/future.hpp>

#include "runtime/collectives/message_channel.hpp"
#include "runtime/collectives/plan.hpp"
#include "runtime/collectives/team_state.hpp"

namespace tasuki::runtime {

class ScheduleExecutor {
 public:
  ScheduleExecutor(Rank& self, MpiRequests& requests)
      : self_(self), requests_(requests), channel_(self, requests) {}

  /// Returns when it is complete on this rank. `plan` is where `schedule` lies.
  void run(TeamState& team, const CollectiveCall& call, Plan& plan, const coll::Schedule& schedule);
  /// `Way` is Plan::ByMessages or Plan::AfterSizeExchange; the exchange is part of it.
  template <class Way>
  Future<void> start(std::shared_ptr<TeamState> team, CollectiveCall call, const Way& way);

  MessageChannel& channel() noexcept { return channel_; }
  /// Those started whose futures are not ready.
  std::size_t under_way_count() const noexcept { return under_way_count_; }

 private:
  class Started;

  Rank& self_;
  MpiRequests& requests_;
  MessageChannel channel_;
  std::size_t under_way_count_ = 0;
};

}  // namespace tasuki::runtime
