#include "transport/ucx/tcp_settings.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace tasuki::transport::ucx {
namespace {

constexpr const char* connects = "UCX_TCP_CONN_NB";
constexpr const char* segment = "UCX_TCP_RX_SEG_SIZE";

/// "" if it is not set.
std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

class UcxTcpSettings : public testing::Test {
 protected:
  void SetUp() override { TearDown(); }  // They may be set where the tests are run.
  void TearDown() override {
    ::unsetenv(connects);
    ::unsetenv(segment);
  }
};

TEST_F(UcxTcpSettings, stand_in_the_environment_while_they_live) {
  {
    const TcpSettings settings({"self/memory", "tcp/eth0"}, 64);
    EXPECT_EQ(environment(connects), "y");
    EXPECT_EQ(environment(segment), "524288");
  }
  EXPECT_EQ(environment(connects), "");
  EXPECT_EQ(environment(segment), "");
}

TEST_F(UcxTcpSettings, are_not_set_without_tcp) {
  const TcpSettings settings({"self/memory", "rc_mlx5/mlx5_0:1"}, 2);
  EXPECT_EQ(environment(connects), "");
  EXPECT_EQ(environment(segment), "");
}

TEST_F(UcxTcpSettings, leave_what_the_user_has_set) {
  ::setenv(segment, "8K", 1);
  {
    const TcpSettings settings({"tcp/eth0"}, 2);
    EXPECT_EQ(environment(connects), "y");
    EXPECT_EQ(environment(segment), "8K");
  }
  EXPECT_EQ(environment(connects), "");
  EXPECT_EQ(environment(segment), "8K");
}

TEST_F(UcxTcpSettings, segments_of_all_ranks_have_a_bound) {
  EXPECT_EQ(tcp_segment_bytes(1), 1u << 20);
  EXPECT_EQ(tcp_segment_bytes(32), 1u << 20);
  EXPECT_EQ(tcp_segment_bytes(128), 256u << 10);
  EXPECT_EQ(tcp_segment_bytes(512), 64u << 10);
  EXPECT_EQ(tcp_segment_bytes(100'000), 64u << 10) << "UCX's own";
}

}  // namespace
}  // namespace tasuki::transport::ucx
