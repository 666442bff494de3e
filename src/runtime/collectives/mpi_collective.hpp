// A collective that the MPI library does: how the runtime's description of a call becomes
// the library's. Used by the collectives' executor. Thread-safety: none; the rank's own thread.
#pragma once

#include <tasuki/detail/coll/collective.hpp>
#include <tasuki/detail/runtime/collectives/collective_call.hpp>
#include <tasuki/detail/transport/mpi_operations.hpp>

#include "runtime/collectives/mpi_requests.hpp"

namespace tasuki::runtime {

/// Requires: the call's shape is complete, and "native" is applicable to it.
transport::MpiCollective mpi_collective(const CollectiveCall& call);

/// Notes the request of `call`, which has been started; `completion` as in MpiRequests.
void add_to(MpiRequests& requests, const CollectiveCall& call, const transport::MpiRequest& request,
            transport::Completion* completion);

}  // namespace tasuki::runtime
