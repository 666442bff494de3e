#include "rpc/rank/discarded_names.hpp"

#include <gtest/gtest.h>

#include <array>

namespace tasuki::rpc {
namespace {

class DiscardedNamesTest : public testing::Test {
 protected:
  DiscardedNamesTest() {
    names_.add("a", {1, "ann"}, "its time is over");
    names_.add("b", {2, "bob"}, "ann has freed it");
  }

  DiscardedNames names_;
};

TEST_F(DiscardedNamesTest, AnyClientOfTheUserIsToldWhyAndNobodyElse) {
  ASSERT_NE(names_.find("a", "ann"), nullptr);
  EXPECT_EQ(*names_.find("a", "ann"), "its time is over");
  EXPECT_EQ(names_.find("a", "bob"), nullptr);
  EXPECT_EQ(names_.find("c", "ann"), nullptr);
  EXPECT_EQ(names_.find("a", ""), nullptr);
}

TEST_F(DiscardedNamesTest, TheLastReasonCounts) {
  names_.add("a", {1, "ann"}, "there was no room");
  EXPECT_EQ(*names_.find("a", "ann"), "there was no room");
}

TEST_F(DiscardedNamesTest, AreForgottenWithTheClientWhoseTheyWere) {
  names_.forget({});
  EXPECT_NE(names_.find("a", "ann"), nullptr);
  names_.forget(std::array<std::int64_t, 2>{7, 1});
  EXPECT_EQ(names_.find("a", "ann"), nullptr);
  EXPECT_NE(names_.find("b", "bob"), nullptr);
}

}  // namespace
}  // namespace tasuki::rpc
