// The mpi transport: MPI point-to-point between nodes, shared memory within.
//
// Listed in the registry; opened by the runtime. Thread-safety: as Transport.
#pragma once

#include <tasuki/detail/transport/registry.hpp>

namespace tasuki::transport::mpi {

const Descriptor& mpi_descriptor();

}  // namespace tasuki::transport::mpi
