// The one visible list of transports: name, one sentence, what it can do here, how to open it.
//
// Called by the runtime (to open one) and by `tasuki info` (to show all).
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

std::span<const Descriptor> all_transports() noexcept;

/// The transport that TASUKI_TRANSPORT names; `auto` picks shm under `tasuki run`, mpi under
/// mpirun or srun, and shm with one rank for a program started by itself.
/// Throws tasuki::error: unknown name (with the known ones), not available here.
std::unique_ptr<Transport> open_transport();

}  // namespace tasuki::transport
