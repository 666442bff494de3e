#include <tasuki/base/topology.hpp>

#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

namespace tasuki::base {
namespace {

TEST(Topology, agrees_with_the_kernel) {
  const Topology topology = read_topology();
  EXPECT_GE(topology.sockets, 1);
  EXPECT_GE(topology.numa_nodes, 1);
  EXPECT_GE(topology.cores, topology.sockets);
  EXPECT_GE(topology.hardware_threads, topology.cores);
  EXPECT_EQ(topology.hardware_threads, sysconf(_SC_NPROCESSORS_ONLN));
  // A container may show hwloc less memory than the kernel has; never more.
  EXPECT_GT(topology.memory_bytes, 0U);
  EXPECT_LE(topology.memory_bytes, static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
                                       static_cast<std::size_t>(sysconf(_SC_PAGESIZE)));
}

TEST(Topology, caches_come_from_small_to_large) {
  int level = 0;
  for (const CacheLevel& cache : read_topology().caches) {
    EXPECT_GT(cache.level, level);
    EXPECT_GE(cache.count, 1);
    level = cache.level;
  }
}

TEST(Topology, affinity_narrows_the_allowed_cores) {
  cpu_set_t before;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  int first = 0;
  while (!CPU_ISSET(first, &before)) ++first;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  const Topology topology = read_topology();
  ASSERT_EQ(sched_setaffinity(0, sizeof before, &before), 0);
  EXPECT_EQ(topology.allowed_cores, 1);
  EXPECT_FALSE(topology.oversubscribed(1));
  EXPECT_TRUE(topology.oversubscribed(2));
}

}  // namespace
}  // namespace tasuki::base
