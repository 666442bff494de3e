#include <tasuki/detail/base/topology.hpp>

#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <fstream>
#include <string>

namespace tasuki::base {
namespace {

TEST(Topology, agrees_with_the_kernel) {
  const Topology topology = read_topology();
  EXPECT_GE(topology.sockets, 1);
  EXPECT_GE(topology.numa_nodes, 1);
  EXPECT_GE(topology.cores, topology.sockets);
  EXPECT_GE(topology.hardware_threads, topology.cores);
  EXPECT_EQ(topology.hardware_threads, sysconf(_SC_NPROCESSORS_ONLN));
}

TEST(Topology, has_the_memory_of_the_whole_machine_not_of_a_numa_node) {
  std::ifstream lines("/proc/meminfo");
  std::string name;
  std::size_t kib = 0;
  lines >> name >> kib;
  ASSERT_EQ(name, "MemTotal:");
  EXPECT_EQ(read_topology().memory_bytes, kib * 1024);
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
