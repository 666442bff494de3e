#include "rpc/sessions/routine_url.hpp"

#include <gtest/gtest.h>

namespace tasuki::rpc {
namespace {

TEST(RoutineUrlTest, ANameMaySayTheServer) {
  for (const char* name : {"ninf://host:7777/linpack/solve", "tasuki://host:7777/linpack/solve"}) {
    const RoutineUrl found = routine_url(name);
    EXPECT_EQ(found.server, "tasuki://host:7777");
    EXPECT_EQ(found.routine, "linpack/solve");
  }
  EXPECT_EQ(routine_url("ninf://host/dmmul").routine, "dmmul");
  EXPECT_EQ(routine_url("ninf://host").server, "tasuki://host");
  EXPECT_EQ(routine_url("ninf://host").routine, "");
}

TEST(RoutineUrlTest, AnyOtherNameIsTheRoutine) {
  for (const char* name : {"dmmul", "linpack/solve", "http://host/dmmul", ""}) {
    const RoutineUrl found = routine_url(name);
    EXPECT_EQ(found.server, "");
    EXPECT_EQ(found.routine, name);
  }
}

}  // namespace
}  // namespace tasuki::rpc
