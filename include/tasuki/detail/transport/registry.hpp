// The one visible list of transports: name, one sentence, what it can do here, how to open it.
//
// Called by the runtime (to open one) and by `tasuki info` (to show all). Tasuki is compiled
// without any MPI, so MPI_Comm is not known here.
// Thread-safety: the table is constant.
#pragma once

#include <memory>
#include <span>
#include <string>

#include <tasuki/detail/transport/transport.hpp>

namespace tasuki::transport {

struct Descriptor {
  const char* name;
  const char* summary;
  /// "" if it can be used by this process now, else why not and the remedy.
  std::string (*unavailable_because)();
  /// Throws tasuki::error. The object is not started yet.
  std::unique_ptr<Transport> (*open)();
};

/// For transports that need nothing.
std::string always_available();

std::span<const Descriptor> all_transports() noexcept;

/// The transport that TASUKI_TRANSPORT names; `auto` picks shm under `tasuki run`, mpi under
/// mpirun or srun, and shm with one rank for a program started by itself.
/// Throws tasuki::error: unknown name (with the known ones), not available here.
std::unique_ptr<Transport> open_transport();

/// The mpi transport over a duplicate of a communicator, for a program that uses MPI itself.
/// `communicator` points to an MPI_Comm of the MPI that this process is linked with; it is read by
/// `Transport::start`. MPI is finalized by `Transport::stop` only if `start` had to initialize it.
/// Throws tasuki::error: no plug-in for this MPI.
std::unique_ptr<Transport> open_mpi_transport(const void* communicator);

}  // namespace tasuki::transport
