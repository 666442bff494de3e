#include "rpc/rank/kept_objects.hpp"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <string>
#include <tasuki/error.hpp>
#include <vector>

#include "rpc/rank/current_call.hpp"

namespace tasuki::rpc {
namespace {

// The state of class A, as C has it.
int number = 7;
std::array<char, 3> letters = {'a', 'b', 'c'};
std::vector<std::int64_t> begun;
std::vector<std::int64_t> ended;
bool fails = false;

void begin(void* const*) {
  if (fails) CurrentCall::get()->fail("it does not begin");
  begun.push_back(CurrentCall::get()->object());
}
void end(void* const*) { ended.push_back(CurrentCall::get()->object()); }

class KeptObjectsTest : public testing::Test {
 protected:
  KeptObjectsTest() {
    module_.classes = {{"A", "", {}}, {"B", "", {}}};
    begun.clear();
    ended.clear();
    fails = false;
    number = 7;
    letters = {'a', 'b', 'c'};
  }

  std::array<StateVariable, 2> variables_ = {{{&number, sizeof number}, {letters.data(), 3}}};
  std::array<ClassEntry, 1> classes_ = {{{"A", variables_}}};
  std::array<RoutineEntry, 2> routines_ = {{{"A._initialize", begin}, {"A._finalize", end}}};
  Module module_;
  RankProgram program_{0, 2, module_, routines_, classes_};
};

TEST_F(KeptObjectsTest, EachHasTheStateThatTheVariablesHadAtFirst) {
  KeepLimit limit(1000);
  KeptObjects objects(program_, limit);
  objects.make("x", "A");
  number = 1;
  letters[2] = 'x';
  objects.make("y", "A");
  EXPECT_EQ(number, 7);
  EXPECT_EQ(letters[2], 'c');
  number = 2;
  EXPECT_EQ(objects.use("x", "A"), 1);
  EXPECT_EQ(number, 1);
  EXPECT_EQ(letters[2], 'x');
  EXPECT_EQ(objects.use("x", "A"), 1);
  EXPECT_EQ(number, 1);
  EXPECT_EQ(objects.use("y", "A"), 2);
  EXPECT_EQ(number, 2);
  EXPECT_EQ(begun, (std::vector<std::int64_t>{1, 2}));
}

TEST_F(KeptObjectsTest, WhatIsNotThereIsLost) {
  KeepLimit limit(1000);
  KeptObjects objects(program_, limit);
  objects.make("x", "A");
  objects.make("z", "B");
  EXPECT_EQ(objects.use("z", "B"), 2);
  EXPECT_THROW(objects.use("x", "B"), LostObject);
  EXPECT_THROW(objects.use("y", "A"), LostObject);
  objects.free("y");
  EXPECT_TRUE(ended.empty());
  objects.free("x");
  EXPECT_EQ(ended, std::vector<std::int64_t>{1});
  EXPECT_THROW(objects.use("x", "A"), LostObject);
  EXPECT_THROW(objects.check_class("C"), error);
}

TEST_F(KeptObjectsTest, StatesOfAllRanksCountAgainstTheLimit) {
  KeepLimit limit(2 * (7 + 7 + 6));
  KeptObjects objects(program_, limit);
  objects.make("x", "A");
  objects.make("y", "A");
  EXPECT_EQ(limit.used_bytes(), 28);
  EXPECT_THROW(objects.make("z", "A"), Lost);
  objects.free("x");
  EXPECT_EQ(limit.used_bytes(), 14);
  objects.make("z", "A");
}

TEST_F(KeptObjectsTest, ANameIsGivenOnce) {
  KeepLimit limit(1000);
  KeptObjects objects(program_, limit);
  objects.make("x", "A");
  number = 1;
  EXPECT_THROW(objects.make("x", "A"), Lost);
  EXPECT_EQ(number, 1);
  objects.free("x");
  EXPECT_EQ(limit.used_bytes(), 0);
}

TEST_F(KeptObjectsTest, AClientHasSoMany) {
  KeepLimit limit(0);
  KeptObjects objects(program_, limit);
  objects.lease_to({1}, {});
  for (std::ptrdiff_t i = 0; i < KeepLimit::of_client_most; ++i)
    objects.make(std::to_string(i), "B");
  EXPECT_THROW(objects.make("more", "B"), Lost);
  objects.lease_to({2}, {});
  objects.make("more", "B");
}

TEST_F(KeptObjectsTest, ThoseOfClientsThatHaveGoneEnd) {
  KeepLimit limit(1000);
  KeptObjects objects(program_, limit);
  objects.lease_to({1}, {});
  objects.make("x", "A");
  objects.lease_to({2}, {});
  objects.make("y", "A");
  objects.lease_to({3}, std::array<std::int64_t, 2>{1, 5});
  EXPECT_EQ(ended, std::vector<std::int64_t>{1});
  EXPECT_EQ(objects.use("y", "A"), 2);
  EXPECT_THROW(objects.use("x", "A"), LostObject);
  EXPECT_EQ(limit.used_bytes(), 14);
}

TEST_F(KeptObjectsTest, AnObjectIsOfTheClientsOfOneUser) {
  KeepLimit limit(1000);
  KeptObjects objects(program_, limit);
  objects.lease_to({1, "ann"}, {});
  objects.make("x", "A");
  objects.lease_to({2, "bob"}, {});
  EXPECT_THROW(objects.use("x", "A"), LostObject);
  objects.free("x");
  EXPECT_TRUE(ended.empty());
  objects.lease_to({3, "ann"}, {});
  EXPECT_EQ(objects.use("x", "A"), 1);
}

TEST_F(KeptObjectsTest, WhatFailsWhenAnObjectBeginsIsAnError) {
  KeepLimit limit(1000);
  KeptObjects objects(program_, limit);
  fails = true;
  EXPECT_THROW(objects.make("x", "A"), error);
}

TEST_F(KeptObjectsTest, AnObjectThatIsDiscardedEndsAndSaysWhy) {
  KeepLimit limit(1000);
  KeptObjects objects(program_, limit);
  objects.make("x", "A");
  objects.discard("x", "its time is over");
  objects.discard("y", "its time is over");
  EXPECT_EQ(ended, std::vector<std::int64_t>{1});
  EXPECT_EQ(limit.used_bytes(), 0);
  try {
    objects.use("x", "A");
    FAIL();
  } catch (const LostObject& fault) {
    EXPECT_NE(fault.happened().find("its time is over"), std::string::npos) << fault.happened();
  }
}

TEST_F(KeptObjectsTest, WhatTheQuotaOfTheirUserDoesNotAllowIsNotMade) {
  KeepLimit limit(1000);
  KeptObjects objects(program_, limit);
  std::int64_t left_bytes = 20;
  limit.count_for([&](const std::string& operation, const std::string&, std::int64_t bytes) {
    left_bytes -= bytes;
    return left_bytes >= 0 ? std::nullopt
                           : std::optional(Lost(quota_kind, operation, "it is used up", "free"));
  });
  EXPECT_EQ(objects.make("x", "A"), 14);
  try {
    objects.make("y", "A");
    FAIL();
  } catch (const Lost& fault) {
    EXPECT_EQ(fault.kind(), quota_kind);
  }
  EXPECT_EQ(limit.used_bytes(), 14);
}

}  // namespace
}  // namespace tasuki::rpc
