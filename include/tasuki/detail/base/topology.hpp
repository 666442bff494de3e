// Topology: the cores, sockets, memory nodes and caches that this process may use.
//
// Read by `tasuki info` and by whoever has to know whether ranks share cores.
// Thread-safety: any thread.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tasuki::base {

/// One level of data or unified cache.
struct CacheLevel {
  int level = 0;               ///< 1 is next to the core.
  std::size_t size_bytes = 0;  ///< Of one of them.
  int count = 0;               ///< How many of them this machine has.
};

/// The machine as the kernel shows it; counts are of all that exists, `allowed_*` of what this
/// process may run on.
struct Topology {
  int sockets = 0;
  int numa_nodes = 0;
  int cores = 0;
  int hardware_threads = 0;
  int allowed_cores = 0;
  std::size_t memory_bytes = 0;
  std::vector<CacheLevel> caches;  ///< From level 1 up.

  /// Must ranks of one machine share cores if there are `ranks` of them?
  bool oversubscribed(int ranks) const noexcept { return ranks > allowed_cores; }
};

/// What tells this machine from others for measurements: how many cores it has, and which.
std::string machine_name();

/// Reads the topology by hwloc; takes some milliseconds.
/// Throws tasuki::error if hwloc cannot tell.
Topology read_topology();

}  // namespace tasuki::base
