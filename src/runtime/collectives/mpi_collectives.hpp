// Collectives that the MPI library does as a whole, among all ranks.
//
// Owned by the collectives. Thread-safety: none; the rank's own thread.
#pragma once

#include <tasuki/detail/runtime/calls/rank.hpp>
#include <tasuki/detail/runtime/collectives/collective_call.hpp>
#include <tasuki/future.hpp>

#include "runtime/collectives/mpi_requests.hpp"
#include "runtime/collectives/team_state.hpp"

namespace tasuki::runtime {

/// Requires of calls: complete, `team` is that of all ranks, and "native" is applicable.
class MpiCollectives {
 public:
  MpiCollectives(Rank& self, MpiRequests& requests)
      : self_(self), library_(self.transport.mpi_operations()), requests_(requests) {}

  bool is_there() const noexcept { return library_ != nullptr; }
  /// Returns when it is complete on this rank.
  void run(const TeamState& team, const CollectiveCall& call);
  Future<void> start(const TeamState& team, CollectiveCall call);

 private:
  transport::MpiRequest begin(const CollectiveCall& call);
  /// `completion` is told when the request of `call` is complete.
  void await(const transport::MpiRequest& request, const CollectiveCall& call,
             transport::Completion* completion);

  Rank& self_;
  transport::MpiOperations* library_;  ///< nullptr: there is none.
  MpiRequests& requests_;
};

}  // namespace tasuki::runtime
