// A collective that is under way by messages: its schedule's execution, and what tells it of
// transfers that go through the MPI library.
//
// Used by the collectives' two source files. Thread-safety: none; the rank's own thread.
#pragma once

#include <cstdint>
#include <memory>
#include <tasuki/detail/coll/executor.hpp>
#include <tasuki/detail/transport/transport.hpp>
#include <tasuki/future.hpp>
#include <utility>

#include "runtime/collectives/collectives.hpp"

namespace tasuki::runtime {

struct Collectives::Operation : coll::Execution {
  Operation(Collectives& owner, TeamState& on, const coll::Schedule& schedule,
            const coll::Buffers& buffers, std::uint32_t its_number)
      : coll::Execution(schedule, buffers, owner),
        team(on),
        number(its_number),
        mpi_transfer(owner, *this) {}
  /// It is complete on this rank.
  virtual void finish() = 0;

  /// What is told of each transfer that goes through the MPI library.
  struct MpiTransfer : transport::Completion {
    MpiTransfer(Collectives& of, Operation& part_of) : collectives(of), operation(part_of) {
      done = [](transport::Completion* completion) {
        auto& self = *static_cast<MpiTransfer*>(completion);
        if (self.operation.transfer_done()) self.collectives.advance(self.operation);
      };
    }
    Collectives& collectives;
    Operation& operation;
  };

  TeamState& team;
  const std::uint32_t number;
  MpiTransfer mpi_transfer;

 protected:
  ~Operation() = default;
};

/// What a started operation's execution refers to; a base so that it is made first.
struct StartedParts {
  StartedParts(std::shared_ptr<TeamState> on, CollectiveCall what,
               std::shared_ptr<const coll::Schedule> how)
      : kept_team(std::move(on)),
        call(std::move(what)),
        schedule(std::move(how)),
        scratch(std::make_unique_for_overwrite<std::byte[]>(schedule->scratch_count *
                                                            call.shape.element_bytes)) {}

  std::shared_ptr<TeamState> kept_team;
  CollectiveCall call;
  std::shared_ptr<const coll::Schedule> schedule;
  std::unique_ptr<std::byte[]> scratch;
  Promise<void> promise;
};

}  // namespace tasuki::runtime
