// The ucx transport: UCX between nodes, shared memory within, and no MPI anywhere.
//
// Opened by its descriptor. Thread-safety: as Transport.
#pragma once

#include <tasuki/detail/transport/transport.hpp>

#include <memory>

namespace tasuki::transport::ucx {

/// Requires: UCX is available. The object is not started yet.
std::unique_ptr<Transport> open_ucx_transport();

}  // namespace tasuki::transport::ucx
