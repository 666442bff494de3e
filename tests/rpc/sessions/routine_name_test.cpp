#include "rpc/sessions/routine_name.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tasuki::rpc {
namespace {

std::vector<Module> modules() {
  return {{"a", {{"both", "", {}}, {"first", "", {}}}, {}}, {"b", {{"both", "", {}}}, {}}};
}

std::string error_of(const char* name) {
  try {
    find_routine(modules(), name);
  } catch (const UnknownRoutine& fault) {
    return fault.what();
  }
  return "";
}

TEST(RoutineNameTest, TheModuleMayBeLeftOutIfOneAloneHasTheRoutine) {
  const std::vector<Module> all = modules();
  EXPECT_EQ(&find_routine(all, "b/both").module, &all[1]);
  EXPECT_EQ(&find_routine(all, "a/first").routine, &all[0].routines[1]);
  EXPECT_EQ(&find_routine(all, "first").routine, &all[0].routines[1]);
}

TEST(RoutineNameTest, WhatIsNotThereOrUnclearIsAnErrorThatNamesWhatIs) {
  for (const char* name : {"none", "c/first", "b/first", "", "/", "a/", "a/first/"}) {
    EXPECT_NE(error_of(name).find("it has a/both, a/first, b/both"), std::string::npos) << name;
  }
  EXPECT_NE(error_of("both").find("choose one of a/both, b/both"), std::string::npos);
}

}  // namespace
}  // namespace tasuki::rpc
