#include "rpc/sessions/routine_name.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tasuki::rpc {
namespace {

std::vector<Module> modules() {
  return {{"a", {{"both", "", {}}, {"first", "", {}}}, {}}, {"b", {{"both", "", {}}}, {}}};
}

std::string error_of(const char* name, const std::vector<Module>& all = modules()) {
  try {
    find_routine(all, name);
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

TEST(RoutineNameTest, MethodsAndClassesAreFoundLikewise) {
  std::vector<Module> all = modules();
  all[1].classes = {{"Counter", "", {{.name = "Counter.add", .aliases = {"Counter.plus"}}}}};
  EXPECT_EQ(&find_routine(all, "b/Counter.add").routine, all[1].classes[0].methods.data());
  EXPECT_EQ(&find_routine(all, "Counter.plus").routine, all[1].classes[0].methods.data());
  EXPECT_EQ(&find_class(all, "Counter").remote_class, all[1].classes.data());
  EXPECT_EQ(&find_class(all, "b/Counter").module, &all[1]);
  EXPECT_THROW(find_class(all, "a/Counter"), UnknownRoutine);
  EXPECT_THROW(find_routine(all, "Counter.none"), UnknownRoutine);
  EXPECT_TRUE(all[1].classes[0].methods[0].is_method());
  EXPECT_EQ(all[1].classes[0].methods[0].class_name(), "Counter");
}

TEST(RoutineNameTest, WhatIsNotThereOrUnclearIsAnErrorThatNamesWhatIs) {
  for (const char* name : {"none", "c/first", "b/first", "", "/", "a/", "a/first/"}) {
    EXPECT_NE(error_of(name).find("it has a/both, a/first, b/both"), std::string::npos) << name;
  }
  std::vector<Module> all = modules();
  all[1].classes = {{"Counter", "", {{.name = "Counter.add"}}}};
  EXPECT_NE(error_of("Counter.none", all).find("b/both, b/Counter.add"), std::string::npos);
  EXPECT_NE(error_of("both").find("choose one of a/both, b/both"), std::string::npos);
}

}  // namespace
}  // namespace tasuki::rpc
