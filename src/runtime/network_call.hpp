// A collective that the network's own library does: how the runtime's description of a call becomes
// the library's. Used by the collectives' executor. Thread-safety: pure functions.
#pragma once

#include <tasuki/coll/collective.hpp>
#include <tasuki/runtime/collective_call.hpp>
#include <tasuki/transport/network_operations.hpp>

namespace tasuki::runtime {

/// Requires: the call's shape is complete, and "native" is applicable to it.
transport::NetworkCall network_call(const CollectiveCall& call);

}  // namespace tasuki::runtime
