#include <gtest/gtest.h>
#include <tasuki/grpc.h>

#include <array>

namespace tasuki::rpc {
namespace {

TEST(ArgumentStackTest, WhatWasAddedLastIsTakenAwayFirst) {
  std::array<int, 2> arguments{};
  grpc_arg_stack_t stack;
  ASSERT_EQ(grpc_arg_stack_init(&stack, 2), GRPC_NO_ERROR);
  EXPECT_EQ(grpc_arg_stack_pop_arg(&stack), nullptr);
  EXPECT_EQ(grpc_arg_stack_push_arg(&stack, &arguments[0]), 0);
  EXPECT_EQ(grpc_arg_stack_push_arg(&stack, &arguments[1]), 0);
  EXPECT_EQ(grpc_arg_stack_pop_arg(&stack), &arguments[1]);
  EXPECT_EQ(grpc_arg_stack_pop_arg(&stack), &arguments[0]);
  EXPECT_EQ(grpc_arg_stack_pop_arg(&stack), nullptr);
  EXPECT_EQ(grpc_arg_stack_destruct(&stack), 0);
}

TEST(ArgumentStackTest, AFullStackTakesNoMoreAndKeepsWhatItHas) {
  std::array<int, 3> arguments{};
  grpc_arg_stack_t* const stack = grpc_arg_stack_new(2);
  ASSERT_NE(stack, nullptr);
  EXPECT_EQ(grpc_arg_stack_push_arg(stack, &arguments[0]), 0);
  EXPECT_EQ(grpc_arg_stack_push_arg(stack, &arguments[1]), 0);
  EXPECT_EQ(grpc_arg_stack_push_arg(stack, &arguments[2]), -1);
  EXPECT_EQ(grpc_arg_stack_pop_arg(stack), &arguments[1]);
  EXPECT_EQ(grpc_arg_stack_push_arg(stack, &arguments[2]), 0);
  EXPECT_EQ(grpc_arg_stack_pop_arg(stack), &arguments[2]);
  grpc_arg_stack_destruct(stack);
}

TEST(ArgumentStackTest, AStackThatWasDestructedHasNothing) {
  int argument = 0;
  grpc_arg_stack_t stack;
  grpc_arg_stack_init(&stack, 1);
  grpc_arg_stack_push_arg(&stack, &argument);
  grpc_arg_stack_destruct(&stack);
  EXPECT_EQ(grpc_arg_stack_pop_arg(&stack), nullptr);
  EXPECT_EQ(grpc_arg_stack_push_arg(&stack, &argument), -1);
  EXPECT_EQ(grpc_arg_stack_destruct(&stack), 0);
}

TEST(ArgumentStackTest, SizesThatNoStackHasAreRefused) {
  EXPECT_EQ(grpc_arg_stack_new(-1), nullptr);
  grpc_arg_stack_t* const empty = grpc_arg_stack_new(0);
  ASSERT_NE(empty, nullptr);
  EXPECT_EQ(grpc_arg_stack_push_arg(empty, empty), -1);
  grpc_arg_stack_destruct(empty);
}

}  // namespace
}  // namespace tasuki::rpc
