// The mpi transport inside a program that uses MPI itself.
//
// Called by the runtime's `tasuki/mpi.hpp`, which knows the program's MPI_Comm; this header
// does not, because Tasuki is compiled without any MPI.
//
// Thread-safety: none.
#pragma once

#include <memory>

#include <tasuki/detail/transport/transport.hpp>

namespace tasuki::transport {

/// The mpi transport over a duplicate of a communicator. `communicator` points to an MPI_Comm of
/// the MPI that this process is linked with; it is read by `Transport::start`. MPI is finalized by
/// `Transport::stop` only if `start` had to initialize it.
/// Throws tasuki::error: no plug-in for this MPI.
std::unique_ptr<Transport> open_mpi_transport(const void* communicator);

}  // namespace tasuki::transport
