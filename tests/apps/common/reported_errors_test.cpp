// What a program of one process says of its errors, and its exit code.
#include "common/reported_errors.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace {

using namespace tasuki;

/// What is said on standard error; the exit code has to be `exit_code`.
template <class Body>
std::string said_of(Body body, int exit_code) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(apps::reporting_errors(body), exit_code);
  return testing::internal::GetCapturedStderr();
}

TEST(ReportedErrors, BeginWithTheNameOfTasuki) {
  const auto failing = []() -> int { throw std::runtime_error("it has ended"); };
  EXPECT_EQ(said_of(failing, 2), "tasuki: it has ended\n");
}

TEST(ReportedErrors, AreSaidAsTheyAreWhereTheyBeginSo) {
  const auto failing = []() -> int { throw error("reading", "it has ended", "start anew"); };
  EXPECT_EQ(said_of(failing, 2), "tasuki: reading: it has ended. Remedy: start anew.\n");
  const auto misused = []() -> int { throw apps::usage_error("tasuki: cg: no -n"); };
  EXPECT_EQ(said_of(misused, 2), "tasuki: cg: no -n\n");
}

TEST(ReportedErrors, AreNoneWhereTheBodyReturns) {
  EXPECT_EQ(said_of([] { return 3; }, 3), "");
}

}  // namespace
