#include "rpc/rank/run_routine.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "rpc/interface/parameters.hpp"
#include "rpc/rank/current_call.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

/// f(INOUT float64 x[n], IN int64 n).
class RunRoutineTest : public testing::Test {
 protected:
  void run(void (*routine)(void* const*), std::int64_t object = 0) {
    run_routine({"f", routine}, memory_, object);
  }
  /// Returns: the error that this throws.
  error fault_of(void (*routine)(void* const*)) {
    try {
      run(routine);
    } catch (const error& fault) {
      return fault;
    }
    return {"", "", ""};
  }
  double* x() { return static_cast<double*>(memory_.arguments()[0]); }

  const Routine routine_{"f",
                         "",
                         {parameter("x", Mode::inout, Number::float64, json::array({"n"})),
                          parameter("n", Mode::in, Number::int64)}};
  BlockMemory blocks_;
  CallMemory memory_{routine_, {{"n", 3}}, {}, {}, blocks_};
};

TEST_F(RunRoutineTest, ARoutineHasThePointersOfItsCallInOrder) {
  x()[2] = 2;
  run([](void* const* arguments) {
    auto* const numbers = static_cast<double*>(arguments[0]);
    const std::int64_t n = *static_cast<const std::int64_t*>(arguments[1]);
    numbers[n - 1] *= 5;
  });
  EXPECT_EQ(x()[2], 10);
}

TEST_F(RunRoutineTest, AMethodKnowsItsObject) {
  run([](void* const*) { EXPECT_EQ(CurrentCall::get()->object(), 4); }, 4);
  run([](void* const*) { EXPECT_EQ(CurrentCall::get()->object(), 0); });
}

TEST_F(RunRoutineTest, AFailureNamesTheRoutine) {
  const error failed =
      fault_of([](void* const*) { CurrentCall::get()->fail("the matrix is singular"); });
  EXPECT_EQ(failed.operation(), "run f");
  EXPECT_EQ(failed.happened(), "the matrix is singular");
  EXPECT_NE(failed.remedy(), "");
}

TEST_F(RunRoutineTest, AnExceptionIsAFailureButNotThatOfTheNextCall) {
  EXPECT_EQ(fault_of([](void* const*) { throw std::out_of_range("no row 7"); }).happened(),
            "no row 7");
  EXPECT_EQ(CurrentCall::get(), nullptr);
  EXPECT_NO_THROW(run([](void* const*) {}));
}

TEST_F(RunRoutineTest, WhatARoutineSaysBeforeItThrowsIsTheReason) {
  EXPECT_EQ(fault_of([](void* const*) {
              CurrentCall::get()->fail("the matrix is singular");
              throw std::runtime_error("it was given up");
            }).happened(),
            "the matrix is singular");
}

}  // namespace
}  // namespace tasuki::rpc
