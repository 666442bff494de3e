#include "rpc/rank/rank_program.hpp"

#include <gtest/gtest.h>

#include <array>

namespace tasuki::rpc {
namespace {

void do_nothing(void* const* /*arguments*/) {}

TEST(RankProgramTest, RoutinesAreFoundByTheirWholeNames) {
  const Module module;
  const std::array<RoutineEntry, 3> routines = {
      {{"solve", do_nothing}, {"Stack.push", do_nothing}, {"solve_all", do_nothing}}};
  const RankProgram program{0, 1, module, routines};
  for (const RoutineEntry& one : routines) EXPECT_EQ(program.find(one.name), &one);
  for (const char* name : {"", "sol", "push", "Stack", "solve_", "Solve"}) {
    EXPECT_EQ(program.find(name), nullptr) << name;
  }
}

TEST(RankProgramTest, AProgramMayHaveNoRoutines) {
  const Module module;
  EXPECT_EQ((RankProgram{0, 1, module, {}}).find("solve"), nullptr);
}

}  // namespace
}  // namespace tasuki::rpc
