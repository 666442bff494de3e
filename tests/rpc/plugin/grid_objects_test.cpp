#include <gtest/gtest.h>
#include <tasuki/client.h>
#include <tasuki/grpc.h>

#include <cstdint>
#include <string>

#include "rpc/plugin/running_grid.hpp"

namespace tasuki::rpc {
namespace {

/// A program with an object of m/C.
class GridObjectsTest : public testing::Test {
 protected:
  GridObjectsTest() {
    EXPECT_EQ(grpc_object_handle_default_np(&object_, "m/C"), GRPC_NO_ERROR)
        << tasuki_client_error_text();
  }

  /// By what the ranks know the object that was made last.
  std::string made() { return grid_.received("make").back()["object"]; }

  RunningGrid grid_;
  grpc_object_handle_t_np object_{};
};

TEST_F(GridObjectsTest, AMethodIsCalledOnItsObject) {
  EXPECT_EQ(grpc_invoke_np(&object_, "add", std::int32_t{7}), GRPC_NO_ERROR);
  const nlohmann::json call = grid_.received("call").back();
  EXPECT_EQ(call["object"], made());
  EXPECT_EQ(call["routine"], "C.add");
  EXPECT_EQ(call["scalars"]["n"], 7);
  EXPECT_EQ(grpc_invoke_np(&object_, "add", std::int32_t{-7}), GRPC_SESSION_FAILED);
  EXPECT_EQ(grpc_invoke_np(&object_, "subtract", std::int32_t{7}), GRPC_FUNCTION_NOT_FOUND);
  EXPECT_EQ(grpc_invoke_np(&object_, nullptr), GRPC_FUNCTION_NOT_FOUND);
}

TEST_F(GridObjectsTest, ASessionTellsWhichObjectHasBegunIt) {
  grpc_sessionid_t session = GRPC_SESSIONID_VOID;
  grpc_object_handle_t_np* object = nullptr;
  grpc_function_handle_t* function = nullptr;
  ASSERT_EQ(grpc_invoke_async_np(&object_, "add", &session, std::int32_t{-7}), GRPC_NO_ERROR);
  EXPECT_EQ(grpc_wait(session), GRPC_SESSION_FAILED);
  EXPECT_EQ(grpc_object_handle_get_from_session_np(&object, session), GRPC_NO_ERROR);
  EXPECT_EQ(object, &object_);
  EXPECT_EQ(grpc_get_handle(&function, session), GRPC_INVALID_SESSION_ID);

  grpc_function_handle_t f{};
  ASSERT_EQ(grpc_function_handle_default(&f, "m/f"), GRPC_NO_ERROR);
  ASSERT_EQ(grpc_call_async(&f, &session, std::int32_t{-7}), GRPC_NO_ERROR);
  EXPECT_EQ(grpc_wait(session), GRPC_SESSION_FAILED);
  EXPECT_EQ(grpc_object_handle_get_from_session_np(&object, session), GRPC_INVALID_SESSION_ID);
  EXPECT_EQ(grpc_object_handle_get_from_session_np(&object, 1000), GRPC_INVALID_SESSION_ID);
}

TEST_F(GridObjectsTest, ArgumentsMayBeOnAStack) {
  std::int32_t n = 7;
  grpc_arg_stack_t* const stack = grpc_arg_stack_new(1);
  EXPECT_EQ(grpc_invoke_arg_stack_np(&object_, "add", stack), -1);  // An argument is missing.
  EXPECT_EQ(grpc_invoke_arg_stack_async_np(&object_, "add", stack), GRPC_SESSIONID_VOID);
  grpc_arg_stack_push_arg(stack, &n);
  EXPECT_EQ(grpc_invoke_arg_stack_np(&object_, "add", stack), 0);
  EXPECT_EQ(grpc_wait(grpc_invoke_arg_stack_async_np(&object_, "add", stack)), GRPC_NO_ERROR);
  EXPECT_EQ(grid_.received("call").size(), 2U);
  grpc_arg_stack_destruct(stack);
}

TEST_F(GridObjectsTest, AnObjectThatWasDestructedIsFreedOnTheRanks) {
  const std::string id = made();
  EXPECT_EQ(grpc_object_handle_destruct_np(&object_), GRPC_NO_ERROR);
  EXPECT_EQ(grid_.received("free").back()["name"], id);
  EXPECT_EQ(grpc_invoke_np(&object_, "add", std::int32_t{7}), GRPC_INVALID_FUNCTION_HANDLE);
  EXPECT_EQ(grpc_object_handle_destruct_np(&object_), GRPC_INVALID_FUNCTION_HANDLE);
  EXPECT_EQ(grpc_object_handle_destruct_np(nullptr), GRPC_INVALID_FUNCTION_HANDLE);
}

TEST_F(GridObjectsTest, ObjectsAreOfClassesThatAServerHas) {
  grpc_object_handle_t_np other{};
  EXPECT_EQ(grpc_object_handle_default_np(&other, "m/D"), GRPC_FUNCTION_NOT_FOUND);
  EXPECT_EQ(grpc_object_handle_init_np(&other, "127.0.0.1:1", "m/C"), GRPC_SERVER_NOT_FOUND);
  EXPECT_EQ(grpc_object_handle_init_np(&other, nullptr, "m/C"), GRPC_SERVER_NOT_FOUND);
  EXPECT_EQ(grpc_object_handle_init_np(&other, grid_.url().c_str(), nullptr),
            GRPC_FUNCTION_NOT_FOUND);
  EXPECT_EQ(grpc_object_handle_default_np(nullptr, "m/C"), GRPC_INVALID_FUNCTION_HANDLE);
  EXPECT_EQ(grpc_object_handle_init_np(&other, grid_.url().c_str(), "C"), GRPC_NO_ERROR);
  EXPECT_EQ(grpc_invoke_np(&other, "add", std::int32_t{7}), GRPC_NO_ERROR);
}

}  // namespace
}  // namespace tasuki::rpc
