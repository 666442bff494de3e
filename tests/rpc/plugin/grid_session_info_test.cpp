#include <gtest/gtest.h>
#include <tasuki/grpc.h>

#include <cstdint>
#include <thread>

#include "rpc/plugin/running_grid.hpp"

namespace tasuki::rpc {
namespace {

/// A program with a handle of m/f, whose rank says that it computes for half a second.
class GridSessionInfoTest : public testing::Test {
 protected:
  GridSessionInfoTest() { EXPECT_EQ(grpc_function_handle_default(&f_, "m/f"), GRPC_NO_ERROR); }

  grpc_sessionid_t ended(std::int32_t n) {
    grpc_sessionid_t session = GRPC_SESSIONID_VOID;
    EXPECT_EQ(grpc_call_async(&f_, &session, n), GRPC_NO_ERROR);
    grpc_wait(session);
    return session;
  }
  static void expect_half_a_second(const grpc_session_info_t_np& info) {
    EXPECT_EQ(info.gei_measureExecutable.calculationRealTime.tv_sec, 0);
    EXPECT_EQ(info.gei_measureExecutable.calculationRealTime.tv_usec, 500000);
    EXPECT_EQ(info.report.computation_s, 0.5);
    EXPECT_STREQ(info.report.mode, "hand-off");
    ASSERT_EQ(info.report.ranks_count, 1U);
    EXPECT_EQ(info.report.ranks[0].compute_s, 0.5);
  }

  RunningGrid grid_;
  grpc_function_handle_t f_{};
  int status_ = -1;
};

TEST_F(GridSessionInfoTest, ASessionThatHasEndedWellHasOne) {
  const grpc_sessionid_t session = ended(7);
  grpc_session_info_t_np* info = nullptr;
  ASSERT_EQ(grpc_session_info_get_np(session, &info, &status_), GRPC_NO_ERROR);
  EXPECT_EQ(status_, GRPC_SESSION_DONE);
  ended(7);  // It belongs to the caller.
  expect_half_a_second(*info);
  EXPECT_EQ(grpc_session_info_release_np(info), GRPC_NO_ERROR);
  EXPECT_EQ(grpc_session_info_release_np(nullptr), GRPC_NO_ERROR);
}

TEST_F(GridSessionInfoTest, ASessionThatHasFailedHasNone) {
  const grpc_sessionid_t session = ended(-7);
  grpc_session_info_t_np* info = nullptr;
  EXPECT_EQ(grpc_session_info_get_np(session, &info, &status_), GRPC_INVALID_SESSION_ID);
  EXPECT_EQ(info, nullptr);
  EXPECT_EQ(status_, GRPC_SESSION_DOWN);
  EXPECT_EQ(grpc_session_info_get_np(session, nullptr, nullptr), GRPC_NO_ERROR);
  EXPECT_EQ(grpc_session_info_get_np(1000, &info, &status_), GRPC_INVALID_SESSION_ID);
  EXPECT_EQ(status_, GRPC_SESSION_UNKNOWN_STATUS);
}

TEST_F(GridSessionInfoTest, ACallWithoutASessionHasTheLastOneOfItsThread) {
  grpc_session_info_t_np info{};
  EXPECT_EQ(grpc_call(&f_, std::int32_t{7}), GRPC_NO_ERROR);
  ASSERT_EQ(grpc_get_last_info_np(&info, &status_), GRPC_NO_ERROR);
  EXPECT_EQ(status_, GRPC_SESSION_DONE);
  expect_half_a_second(info);
  EXPECT_EQ(grpc_get_last_info_np(nullptr, &status_), GRPC_OTHER_ERROR_CODE);
  std::thread([this] {
    grpc_session_info_t_np other{};
    EXPECT_EQ(grpc_get_last_info_np(&other, &status_), GRPC_INVALID_SESSION_ID);
  }).join();
}

}  // namespace
}  // namespace tasuki::rpc
