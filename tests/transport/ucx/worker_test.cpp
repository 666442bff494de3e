#include "transport/ucx/worker.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

namespace tasuki::transport::ucx {
namespace {

constexpr const char* connects = "UCX_TCP_CONN_NB";

class UcxWorker : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    ::setenv("UCX_TLS", GetParam(), 1);
    ::unsetenv(connects);  // It may be set where the tests are run.
  }
  void TearDown() override {
    ::unsetenv("UCX_TLS");
    ::unsetenv(connects);
  }
};

TEST_P(UcxWorker, leaves_the_environment_as_it_is_and_nothing_to_complain_of) {
  testing::internal::CaptureStderr();
  { const Worker worker(2); }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(std::getenv(connects), nullptr);
}

TEST_P(UcxWorker, leaves_a_setting_of_the_user) {
  ::setenv(connects, "n", 1);
  testing::internal::CaptureStderr();
  { const Worker worker(2); }
  testing::internal::GetCapturedStderr();
  ASSERT_NE(std::getenv(connects), nullptr);
  EXPECT_STREQ(std::getenv(connects), "n");
}

INSTANTIATE_TEST_SUITE_P(WithTcpAndWithout, UcxWorker, testing::Values("tcp", "self,sm"));

}  // namespace
}  // namespace tasuki::transport::ucx
