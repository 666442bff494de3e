#include <gtest/gtest.h>
#include <tasuki/routines.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "rpc/interface/parameters.hpp"
#include "rpc/rank/run_routine.hpp"
#include "rpc/wire/happened.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

/// f(INOUT float64 x[n], cyclic, IN int64 n), at rank 1 of 2, where x is {1, 3}.
class RoutinesInCTest : public testing::Test {
 protected:
  RoutinesInCTest() {
    routine_.parameters[0].divisions = {CyclicDivision{Expression::from_json(1)}};
  }

  std::string run(void (*routine)(void* const*), std::int64_t object = 0) {
    BlockMemory blocks;
    CallMemory memory(routine_, {{"n", 4}}, {}, {.rank = 1, .ranks = 2}, blocks);
    return happened_in([&] { run_routine({"f", routine}, memory, object); });
  }

  Routine routine_{"f",
                   "",
                   {parameter("x", Mode::inout, Number::float64, json::array({"n"})),
                    parameter("n", Mode::in, Number::int64)}};
};

TEST_F(RoutinesInCTest, ARoutineLearnsHowItsArraysLie) {
  EXPECT_EQ(run([](void* const* arguments) {
              const tasuki_array_layout* const layout = tasuki_layout(arguments[0]);
              ASSERT_NE(layout, nullptr);
              EXPECT_EQ(layout->extents[0], 4);
              EXPECT_EQ(layout->local_extents[0], 2);
              EXPECT_EQ(tasuki_global_index(arguments[0], 0, 1), 3);
              EXPECT_EQ(tasuki_global_index(arguments[0], 1, 0), -1);
              EXPECT_EQ(tasuki_global_index(arguments[0], 0, 2), -1);
            }),
            "");
}

TEST_F(RoutinesInCTest, WhatIsNoArrayOfTheCallHasNoLayout) {
  EXPECT_EQ(run([](void* const* arguments) {
              EXPECT_EQ(tasuki_layout(arguments[1]), nullptr);
              EXPECT_EQ(tasuki_layout(nullptr), nullptr);
              EXPECT_EQ(tasuki_global_index(arguments[1], 0, 0), -1);
            }),
            "");
}

TEST_F(RoutinesInCTest, AMethodKnowsItsObject) {
  EXPECT_EQ(run([](void* const*) { EXPECT_EQ(tasuki_object(), 7); }, 7), "");
  EXPECT_EQ(run([](void* const*) { EXPECT_EQ(tasuki_object(), 0); }), "");
}

TEST_F(RoutinesInCTest, ARoutineMayFail) {
  EXPECT_EQ(run([](void* const*) { tasuki_fail("the matrix is singular"); }),
            "the matrix is singular");
  EXPECT_NE(run([](void* const* arguments) { tasuki_call_back("g", arguments); }), "");
}

TEST_F(RoutinesInCTest, OutsideOfACallThereIsNothing) {
  const double argument = 0;
  EXPECT_EQ(tasuki_layout(&argument), nullptr);
  EXPECT_EQ(tasuki_global_index(&argument, 0, 0), -1);
  EXPECT_EQ(tasuki_object(), 0);
  tasuki_fail("nobody hears it");
  tasuki_call_back("g", nullptr);
}

TEST_F(RoutinesInCTest, AProgramThatNoServerHasStartedSaysSo) {
  unsetenv("TASUKI_SERVER");
  const tasuki_routine routine{"f", [](void* const*) {}};
  testing::internal::CaptureStderr();
  EXPECT_EQ(tasuki_serve_calls(0, 1, &routine, 1), 1);
  const std::string printed = testing::internal::GetCapturedStderr();
  EXPECT_NE(printed.find("no server has started this program"), std::string::npos) << printed;
}

}  // namespace
}  // namespace tasuki::rpc
