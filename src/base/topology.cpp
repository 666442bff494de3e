#include <tasuki/detail/base/topology.hpp>

#include <hwloc.h>
#include <unistd.h>
#include <tasuki/error.hpp>

#include <memory>
#include <type_traits>

namespace tasuki::base {
namespace {

struct Destroy {
  void operator()(hwloc_topology_t topology) const noexcept { hwloc_topology_destroy(topology); }
};
using TopologyHandle = std::unique_ptr<std::remove_pointer_t<hwloc_topology_t>, Destroy>;

TopologyHandle load() {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) {
    throw error("reading the topology", "hwloc has no memory for it", "free some memory");
  }
  TopologyHandle topology(raw);
  // Cores that a container or taskset keeps from us are counted too, and told apart.
  hwloc_topology_set_flags(raw, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
  if (hwloc_topology_load(raw) != 0) {
    throw error("reading the topology", "hwloc cannot read it",
                "see whether /sys is mounted and lstopo works");
  }
  return topology;
}

int count(hwloc_topology_t topology, hwloc_obj_type_t type) {
  const int found = hwloc_get_nbobjs_by_type(topology, type);
  return found > 0 ? found : 0;
}

/// Cores with at least one hardware thread that this process may run on.
int allowed_cores(hwloc_topology_t topology) {
  const std::unique_ptr<hwloc_bitmap_s, decltype(&hwloc_bitmap_free)> allowed(hwloc_bitmap_alloc(),
                                                                              &hwloc_bitmap_free);
  if (hwloc_get_cpubind(topology, allowed.get(), HWLOC_CPUBIND_PROCESS) != 0) {
    hwloc_bitmap_copy(allowed.get(), hwloc_topology_get_allowed_cpuset(topology));
  }
  int cores = 0;
  for (hwloc_obj_t core = nullptr;
       (core = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_CORE, core)) != nullptr;) {
    if (hwloc_bitmap_intersects(core->cpuset, allowed.get()) != 0) ++cores;
  }
  return cores;
}

std::vector<CacheLevel> caches(hwloc_topology_t topology) {
  constexpr hwloc_obj_type_t types[] = {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE,
                                        HWLOC_OBJ_L4CACHE, HWLOC_OBJ_L5CACHE};
  std::vector<CacheLevel> levels;
  for (const hwloc_obj_type_t type : types) {
    const hwloc_obj_t first = hwloc_get_next_obj_by_type(topology, type, nullptr);
    if (first == nullptr) continue;
    levels.push_back({.level = static_cast<int>(first->attr->cache.depth),
                      .size_bytes = static_cast<std::size_t>(first->attr->cache.size),
                      .count = count(topology, type)});
  }
  return levels;
}

/// Of the whole machine. What hwloc adds up are its NUMA nodes, of which a container or a virtual
/// machine may show a part only.
std::size_t machine_memory_bytes() {
  return static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

Topology read_topology() {
  const TopologyHandle handle = load();
  hwloc_topology_t topology = handle.get();
  return {.sockets = count(topology, HWLOC_OBJ_PACKAGE),
          .numa_nodes = count(topology, HWLOC_OBJ_NUMANODE),
          .cores = count(topology, HWLOC_OBJ_CORE),
          .hardware_threads = count(topology, HWLOC_OBJ_PU),
          .allowed_cores = allowed_cores(topology),
          .memory_bytes = machine_memory_bytes(),
          .caches = caches(topology)};
}

}  // namespace tasuki::base
