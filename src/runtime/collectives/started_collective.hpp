// A collective that somebody has a future of, by messages or of the MPI library: what it keeps
// until it is complete on this rank.
//
// Made with new; deletes itself when it is told. Thread-safety: none; the rank's own thread.
#pragma once

#include <memory>
#include <tasuki/detail/runtime/collectives/collective_call.hpp>
#include <tasuki/detail/transport/transport.hpp>
#include <tasuki/future.hpp>
#include <utility>

#include "runtime/collectives/team_state.hpp"

namespace tasuki::runtime {

struct StartedCollective : transport::Completion {
  StartedCollective(const TeamState& team, CollectiveCall what) : call(std::move(what)) {
    promise.set_reason(team.reason_of(call));
    done = [](transport::Completion* completion) {
      const std::unique_ptr<StartedCollective> self(static_cast<StartedCollective*>(completion));
      self->promise.set_value();
    };
  }
  CollectiveCall call;
  Promise<void> promise;
};

}  // namespace tasuki::runtime
