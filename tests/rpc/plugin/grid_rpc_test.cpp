#include <gtest/gtest.h>
#include <tasuki/client.h>
#include <tasuki/grpc.h>

#include <array>
#include <cstdint>
#include <string>

#include "rpc/plugin/running_grid.hpp"
#include "rpc/wire/temporary_folder.hpp"

namespace tasuki::rpc {
namespace {

/// A program that has initialized GridRPC, and has a handle of m/f.
class GridRpcTest : public testing::Test {
 protected:
  GridRpcTest() {
    char name[] = "m/f";
    EXPECT_EQ(grpc_function_handle_default(&f_, name), GRPC_NO_ERROR);
  }

  grpc_sessionid_t begin(std::int32_t n) {
    grpc_sessionid_t session = GRPC_SESSIONID_VOID;
    EXPECT_EQ(grpc_call_async(&f_, &session, n), GRPC_NO_ERROR);
    return session;
  }
  static bool is_told(const std::string& text) {
    return std::string(tasuki_client_error_text()).find(text) != std::string::npos;
  }

  RunningGrid grid_;
  grpc_function_handle_t f_{};
};

TEST(GridRpcWithoutInitializeTest, NothingElseWorks) {
  grpc_function_handle_t handle{};
  grpc_sessionid_t session = 0;
  EXPECT_EQ(grpc_function_handle_default(&handle, "m/f"), GRPC_NOT_INITIALIZED);
  EXPECT_EQ(grpc_call(&handle, 7), GRPC_NOT_INITIALIZED);
  EXPECT_EQ(grpc_call_async(&handle, &session, 7), GRPC_NOT_INITIALIZED);
  EXPECT_EQ(grpc_wait(1), GRPC_NOT_INITIALIZED);
  EXPECT_EQ(grpc_wait_all(), GRPC_NOT_INITIALIZED);
  EXPECT_EQ(grpc_finalize(), GRPC_NOT_INITIALIZED);
}

TEST(GridRpcConfigurationTest, AFileThatIsNotThereOrSaysNothingKnownIsNamed) {
  const TemporaryFolder folder;
  EXPECT_EQ(grpc_initialize(folder.path_of("none").c_str()), GRPC_CONFIGFILE_NOT_FOUND);
  const std::string wrong = folder.write("wrong", "serve everything\n");
  EXPECT_EQ(grpc_initialize(wrong.c_str()), GRPC_CONFIGFILE_ERROR);
  EXPECT_EQ(grpc_finalize(), GRPC_NOT_INITIALIZED);
}

TEST_F(GridRpcTest, IsInitializedOnce) {
  EXPECT_EQ(grpc_initialize(nullptr), GRPC_ALREADY_INITIALIZED);
  EXPECT_EQ(grpc_call(&f_, std::int32_t{7}), GRPC_NO_ERROR);
}

TEST_F(GridRpcTest, HandlesAreOfFunctionsThatAServerHas) {
  grpc_function_handle_t handle{};
  EXPECT_EQ(grpc_function_handle_default(&handle, "m/g"), GRPC_FUNCTION_NOT_FOUND);
  EXPECT_EQ(grpc_function_handle_init(&handle, "127.0.0.1:1", "m/f"), GRPC_SERVER_NOT_FOUND);
  EXPECT_EQ(grpc_function_handle_init(&handle, grid_.url().c_str(), "f"), GRPC_NO_ERROR);
  EXPECT_EQ(grpc_call(&handle, std::int32_t{7}), GRPC_NO_ERROR);
  EXPECT_EQ(grpc_function_handle_default(nullptr, "m/f"), GRPC_INVALID_FUNCTION_HANDLE);
}

TEST_F(GridRpcTest, AHandleThatWasDestructedCallsNothing) {
  EXPECT_EQ(grpc_function_handle_destruct(&f_), GRPC_NO_ERROR);
  EXPECT_EQ(grpc_call(&f_, std::int32_t{7}), GRPC_INVALID_FUNCTION_HANDLE);
  EXPECT_EQ(grpc_function_handle_destruct(&f_), GRPC_INVALID_FUNCTION_HANDLE);
  grpc_function_handle_t never_made{};
  EXPECT_EQ(grpc_call(&never_made, std::int32_t{7}), GRPC_INVALID_FUNCTION_HANDLE);
}

TEST_F(GridRpcTest, TheErrorOfACallSaysWhoseFaultItIs) {
  EXPECT_EQ(grpc_call(&f_, std::int32_t{-7}), GRPC_SESSION_FAILED);
  EXPECT_TRUE(is_told("n is negative")) << tasuki_client_error_text();
  grid_.server().end_connections();
  EXPECT_EQ(grpc_call(&f_, std::int32_t{7}), GRPC_NO_ERROR);  // By a new connection.
}

TEST_F(GridRpcTest, AStackStaysAsItIsWhenItIsCalledWith) {
  std::int32_t n = 7;
  grpc_arg_stack_t* const stack = grpc_arg_stack_new(2);
  EXPECT_EQ(grpc_call_argstack(&f_, stack), GRPC_OTHER_ERROR_CODE);  // An argument is missing.
  grpc_arg_stack_push_arg(stack, &n);
  EXPECT_EQ(grpc_call_argstack(&f_, stack), GRPC_NO_ERROR);
  n = -7;
  EXPECT_EQ(grpc_call_argstack(&f_, stack), GRPC_SESSION_FAILED);
  EXPECT_EQ(grpc_arg_stack_pop_arg(stack), &n);
  grpc_arg_stack_destruct(stack);
  EXPECT_EQ(grpc_call_argstack(&f_, nullptr), GRPC_OTHER_ERROR_CODE);
}

TEST_F(GridRpcTest, WhoWaitsForAllLearnsWhichHaveFailed) {
  const grpc_sessionid_t good = begin(7);
  const grpc_sessionid_t bad = begin(-7);
  const std::array sessions = {good, bad};
  EXPECT_EQ(grpc_wait_and(sessions.data(), sessions.size()), GRPC_SESSION_FAILED);
  grpc_sessionid_t failed = 0;
  EXPECT_EQ(grpc_get_failed_sessionid(&failed), GRPC_NO_ERROR);
  EXPECT_EQ(failed, bad);
  EXPECT_EQ(grpc_get_failed_sessionid(&failed), GRPC_NO_ERROR);
  EXPECT_EQ(failed, GRPC_SESSIONID_VOID);
  EXPECT_EQ(grpc_get_error(bad), GRPC_SESSION_FAILED);
  EXPECT_EQ(grpc_wait(good), GRPC_NO_ERROR);
}

TEST_F(GridRpcTest, WhoWaitsForAnyGetsEachOnceAndThenNone) {
  const grpc_sessionid_t first = begin(7);
  const grpc_sessionid_t second = begin(7);
  grpc_sessionid_t got = 0;
  grpc_sessionid_t got_next = 0;
  EXPECT_EQ(grpc_wait_any(&got), GRPC_NO_ERROR);
  EXPECT_EQ(grpc_wait_any(&got_next), GRPC_NO_ERROR);
  EXPECT_NE(got, got_next);
  EXPECT_EQ(got + got_next, first + second);
  EXPECT_EQ(grpc_wait_any(&got), GRPC_NO_ERROR);
  EXPECT_EQ(got, GRPC_SESSIONID_VOID);
}

TEST_F(GridRpcTest, SessionsThatAreNotThereAreErrors) {
  grpc_function_handle_t* handle = nullptr;
  EXPECT_EQ(grpc_wait(1000), GRPC_INVALID_SESSION_ID);
  EXPECT_EQ(grpc_probe(1000), GRPC_INVALID_SESSION_ID);
  EXPECT_EQ(grpc_cancel(1000), GRPC_INVALID_SESSION_ID);
  EXPECT_EQ(grpc_get_error(1000), GRPC_INVALID_SESSION_ID);
  EXPECT_EQ(grpc_get_handle(&handle, 1000), GRPC_INVALID_SESSION_ID);
  EXPECT_EQ(grpc_call_async(&f_, nullptr, 7), GRPC_OTHER_ERROR_CODE);
}

TEST_F(GridRpcTest, EachErrorHasItsName) {
  EXPECT_STREQ(grpc_error_string(GRPC_NO_ERROR), "GRPC_NO_ERROR");
  EXPECT_STREQ(grpc_error_string(GRPC_SESSION_FAILED), "GRPC_SESSION_FAILED");
  EXPECT_STREQ(grpc_error_string(GRPC_ALREADY_INITIALIZED), "GRPC_ALREADY_INITIALIZED");
  EXPECT_STREQ(grpc_error_string(GRPC_LAST_ERROR_CODE), "GRPC_UNKNOWN_ERROR_CODE");
  EXPECT_STREQ(grpc_error_string(-1), "GRPC_UNKNOWN_ERROR_CODE");
}

}  // namespace
}  // namespace tasuki::rpc
