#include "transport/ucx/context.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "transport/ucx/ways_text.hpp"

namespace tasuki::transport::ucx {
namespace {

class UcxContext : public testing::Test {
 protected:
  void TearDown() override { ::unsetenv("UCX_TLS"); }
};

TEST_F(UcxContext, finds_the_transports_that_the_environment_allows) {
  ::setenv("UCX_TLS", "tcp", 1);
  EXPECT_TRUE(has_tcp(Context(2, nullptr).ways()));
  ::setenv("UCX_TLS", "self,sm", 1);
  EXPECT_FALSE(has_tcp(Context(2, nullptr).ways()));
}

TEST_F(UcxContext, uses_only_the_devices_that_it_is_given) {
  ::setenv("UCX_TLS", "tcp", 1);
  EXPECT_EQ(Context(2, "lo").ways(), std::vector<std::string>{"tcp/lo"});
}

TEST_F(UcxContext, says_what_it_was_about_where_there_is_no_such_device) {
  ::setenv("UCX_TLS", "tcp", 1);
  testing::internal::CaptureStderr();
  try {
    const Context context(2, "absent0");
    ADD_FAILURE() << "UCX has found a device that is absent";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("starting the ucx transport"), std::string::npos)
        << error.what();
  }
  testing::internal::GetCapturedStderr();
}

}  // namespace
}  // namespace tasuki::transport::ucx
