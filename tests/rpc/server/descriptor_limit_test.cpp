#include "rpc/server/descriptor_limit.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>

namespace tasuki::rpc {
namespace {

rlimit descriptors() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  return limit;
}

TEST(DescriptorLimitTest, TheFrontEndHasTheHardLimitAndItsProgramsThatFromBefore) {
  rlimit first = descriptors();
  first.rlim_max = std::min<rlim_t>(first.rlim_max, 4096);
  first.rlim_cur = first.rlim_max / 8;
  setrlimit(RLIMIT_NOFILE, &first);
  raise_descriptor_limit();
  raise_descriptor_limit();  // A second time changes nothing.
  EXPECT_EQ(descriptors().rlim_cur, first.rlim_max);
  const std::int64_t most = usual_connections_most();
  EXPECT_GE(most, 1);
  EXPECT_LE(most, static_cast<std::int64_t>(first.rlim_max) / 2);
  restore_descriptor_limit(getpid());
  EXPECT_EQ(descriptors().rlim_cur, first.rlim_cur);
}

}  // namespace
}  // namespace tasuki::rpc
