#include "rpc/rank/kept.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "rpc/wire/happened.hpp"

namespace tasuki::rpc {
namespace {

using layout::ArrayLayout;
using layout::Axis;
using layout::Grid;

ArrayLayout vector_of(std::int64_t n) { return {{Axis(n, layout::Cyclic{}, 2)}, Grid({2}), 8}; }

/// A rank of a module with class A, whose state has 8 bytes.
class KeptTest : public testing::Test {
 protected:
  KeptTest() { module_.classes = {{"A", "", {}}}; }

  void put(const std::string& id, std::int64_t n) {
    BlockMemory memory;
    kept_.arrays.keep(id, vector_of(n), memory.take(static_cast<std::size_t>(8 * n)));
  }
  bool has_array(const std::string& id) {
    return happened_in([&] { kept_.arrays.find(id, vector_of(10)); }).empty();
  }
  std::string lost_object(const std::string& id) {
    return happened_in([&] { kept_.objects.use(id, "A"); });
  }

  std::int64_t state_ = 7;
  std::array<StateVariable, 1> variables_ = {{{&state_, sizeof state_}}};
  std::array<ClassEntry, 1> classes_ = {{{"A", variables_}}};
  Module module_;
  const RankProgram program_{0, 2, module_, {}, classes_};
  Kept kept_{program_, 200};
};

TEST_F(KeptTest, ArraysAndObjectsShareOneLimit) {
  put("a", 10);
  const std::int64_t of_array = kept_.limit.used_bytes();
  EXPECT_EQ(of_array, 80);
  kept_.objects.make("x", "A");
  EXPECT_GT(kept_.limit.used_bytes(), of_array);
  EXPECT_FALSE(kept_.arrays.has_room(vector_of(15)));
}

TEST_F(KeptTest, WhateverItIsANameIsFreed) {
  put("a", 10);
  kept_.objects.make("x", "A");
  kept_.free("a");
  EXPECT_FALSE(has_array("a"));
  EXPECT_EQ(lost_object("x"), "");
  kept_.free("x");
  EXPECT_NE(lost_object("x"), "");
  EXPECT_EQ(kept_.limit.used_bytes(), 0);
  kept_.free("x");  // It is not there any more.
  EXPECT_EQ(kept_.limit.used_bytes(), 0);
}

TEST_F(KeptTest, WhatIsDiscardedSaysWhy) {
  put("a", 10);
  kept_.objects.make("x", "A");
  kept_.discard(std::vector<std::string>{"a", "x"}, "its time is over");
  EXPECT_EQ(kept_.limit.used_bytes(), 0);
  EXPECT_NE(happened_in([&] { kept_.arrays.find("a", vector_of(10)); }).find("its time is over"),
            std::string::npos);
  EXPECT_NE(lost_object("x").find("its time is over"), std::string::npos);
}

TEST_F(KeptTest, WhatClientsThatHaveGoneHaveLeftIsFreedWithoutAQuotaOfTheNext) {
  kept_.lease_to({1, "ann"}, {}, {});
  put("a", 10);
  kept_.objects.make("x", "A");
  const KeptQuota of_bob{"bob", 160, 0};
  kept_.lease_to({2, "bob"}, std::array<std::int64_t, 1>{1}, of_bob);
  EXPECT_EQ(kept_.limit.used_bytes(), 0);
  EXPECT_FALSE(has_array("a"));
  EXPECT_NE(lost_object("x"), "");
  EXPECT_TRUE(kept_.limit.has_room(160));
  EXPECT_FALSE(kept_.limit.has_room(161));  // Were ann's bytes given back to bob, there would be.
}

}  // namespace
}  // namespace tasuki::rpc
