#include "transport/ucx/ways_text.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tasuki::transport::ucx {
namespace {

using Ways = std::vector<std::string>;

TEST(WaysText, finds_all_ways_of_a_context) {
  // UCX 1.13 and 1.18 print this alike.
  EXPECT_EQ(ways_of_context("#\n# UCP context\n#\n"
                            "#     component 1  :  tcp\n"
                            "#            md 1  :  component 1  tcp \n"
                            "#      resource 0  :  md 0  dev 0  flags -- self/memory0\n"
                            "#      resource 1  :  md 1  dev 1  flags -- tcp/eth0\n"
                            "#      resource 12  :  md 4  dev 3  flags -s cma/memory\n#\n"),
            (Ways{"self/memory0", "tcp/eth0", "cma/memory"}));
}

TEST(WaysText, finds_each_way_of_an_endpoint_once) {
  // The first line as UCX 1.13 prints it, the others as 1.18 does.
  EXPECT_EQ(
      ways_of_endpoint(
          "#               peer: <no debug data>\n"
          "#                 lane[0]:  2:tcp/eth0.0 md[1]  -> md[1]/tcp/sysdev[255] am wireup\n"
          "#                 lane[1]: 10:rc_mlx5/mlx5_0:1.0 md[4] -> md[4]/ib/sysdev[3] seg 1\n"
          "#                 lane[2]: 10:rc_mlx5/mlx5_0:1.1 md[4] -> md[4]/ib/sysdev[3] seg 1\n"
          "#                 lane[3]: 11:tcp/eth0.100.0 md[1] -> md[1]/tcp/sysdev[255]\n"
          "# |  8185..inf | multi-frag eager copy-in copy-out | tcp/lo |\n"),
      (Ways{"tcp/eth0", "rc_mlx5/mlx5_0:1", "tcp/eth0.100"}));
}

TEST(WaysText, finds_nothing_in_other_text) {
  EXPECT_EQ(ways_of_context(""), Ways());
  EXPECT_EQ(ways_of_context("resource \n"), Ways());
  EXPECT_EQ(ways_of_endpoint("lane[0]"), Ways());
  EXPECT_EQ(ways_of_endpoint("lane[0]: cm rdmacm\n lane[1]: <unknown>\n"), Ways());
}

TEST(WaysText, a_device_is_what_follows_the_transport) {
  EXPECT_EQ(devices_of({"tcp/eth0"}), Ways{"eth0"});
}

TEST(WaysText, a_device_of_several_ways_is_named_once) {
  EXPECT_EQ(devices_of({"rc_mlx5/mlx5_0:1", "tcp/eth0", "ud_mlx5/mlx5_0:1"}),
            (Ways{"mlx5_0:1", "eth0"}));
}

TEST(WaysText, an_adapter_has_a_port_and_a_second_address_of_an_interface_is_none) {
  EXPECT_TRUE(has_adapter({"self/memory", "tcp/eth0", "rc_mlx5/mlx5_0:1"}));
  EXPECT_FALSE(has_adapter({"self/memory", "cma/memory", "tcp/eth0", "tcp/eth0:1"}));
  EXPECT_FALSE(has_adapter({}));
}

TEST(WaysText, tcp_is_told_by_the_transport) {
  EXPECT_TRUE(has_tcp({"self/memory", "tcp/eth0"}));
  EXPECT_FALSE(has_tcp({"self/memory", "rc_mlx5/tcp0:1"}));
}

}  // namespace
}  // namespace tasuki::transport::ucx
