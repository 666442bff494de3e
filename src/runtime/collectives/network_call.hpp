// A collective that the network's own library does: how the runtime's description of a call becomes
// the library's. Used by the collectives' executor. Thread-safety: none; the rank's own thread.
#pragma once

#include <tasuki/detail/coll/collective.hpp>
#include <tasuki/detail/runtime/collectives/collective_call.hpp>
#include <tasuki/detail/transport/network_operations.hpp>

#include "runtime/collectives/network_requests.hpp"

namespace tasuki::runtime {

/// Requires: the call's shape is complete, and "native" is applicable to it.
transport::NetworkCall network_call(const CollectiveCall& call);

/// Notes the request of `call`, which has been started; `completion` as in NetworkRequests.
void add_to(NetworkRequests& requests, const CollectiveCall& call,
            const transport::NetworkRequest& request, transport::Completion* completion);

}  // namespace tasuki::runtime
