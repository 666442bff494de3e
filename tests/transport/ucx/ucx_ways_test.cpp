#include <gtest/gtest.h>

#include <tasuki/detail/transport/registry.hpp>
#include <tasuki/detail/transport/ucx_ways.hpp>
#include <tasuki/error.hpp>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

namespace tasuki::transport {
namespace {

using Ways = std::vector<std::string>;

class UcxWaysHere : public testing::Test {
 protected:
  void SetUp() override {
    ::setenv("UCX_TLS", "tcp", 1);
    ::unsetenv("UCX_NET_DEVICES");
  }
  void TearDown() override {
    ::unsetenv("UCX_TLS");
    ::unsetenv("UCX_NET_DEVICES");
  }
};

TEST_F(UcxWaysHere, only_devices_that_lead_out_join_hosts) {
  const UcxWays ways = find_ucx_ways();
  EXPECT_FALSE(ways.version.empty());
  EXPECT_EQ(std::count(ways.here.begin(), ways.here.end(), "tcp/lo"), 1);
  EXPECT_FALSE(ways.within_host.empty());
  EXPECT_EQ(std::count(ways.between_hosts.begin(), ways.between_hosts.end(), "tcp/lo"), 0);
  // A machine of tests may have no network but the loopback.
  EXPECT_EQ(ways.between_hosts.empty(), ways.here.size() == 1);
}

TEST_F(UcxWaysHere, the_loopback_alone_joins_no_hosts) {
  ::setenv("UCX_NET_DEVICES", "lo", 1);
  const UcxWays ways = find_ucx_ways();
  EXPECT_EQ(ways.here, Ways{"tcp/lo"});
  EXPECT_EQ(ways.within_host, Ways{"tcp/lo"});
  EXPECT_EQ(ways.between_hosts, Ways());
}

TEST_F(UcxWaysHere, a_device_that_is_not_here_is_refused) {
  ::setenv("UCX_NET_DEVICES", "nosuch9", 1);
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  std::string said;
  try {
    find_ucx_ways();
  } catch (const error& refused) {
    said = refused.what();
  }
  const std::string of_ucx = testing::internal::GetCapturedStderr();
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "") << "the program's own output";
  EXPECT_NE(of_ucx.find("nosuch9"), std::string::npos) << of_ucx;
  EXPECT_NE(said.find("UCX reports"), std::string::npos) << said;
}

}  // namespace
}  // namespace tasuki::transport
