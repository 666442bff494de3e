#include "rpc/rank/kept.hpp"

#include <gtest/gtest.h>

#include <array>
#include <optional>
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
    kept_.arrays.keep(id, Number::float64, vector_of(n),
                      memory.take(static_cast<std::size_t>(8 * n)));
  }
  /// What is wrong with the use of it; empty if it is there.
  std::string lost_array(const std::string& id) {
    return happened_in([&] { kept_.arrays.find(id, Number::float64, vector_of(10)); });
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
  const std::int64_t of_array_bytes = kept_.limit.used_bytes();
  EXPECT_EQ(of_array_bytes, 80);
  EXPECT_FALSE(kept_.array_refusal("b", vector_of(15)));
  kept_.make_object("x", "A");
  EXPECT_GT(kept_.limit.used_bytes(), of_array_bytes);
  EXPECT_TRUE(kept_.array_refusal("b", vector_of(15)));
}

TEST_F(KeptTest, AnArrayAndAnObjectNeverHaveOneName) {
  put("a", 10);
  kept_.make_object("x", "A");
  const std::optional<Lost> refusal = kept_.array_refusal("x", vector_of(1));
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->happened(), "there is an object of this name already");
  EXPECT_EQ(happened_in([&] { kept_.make_object("a", "A"); }),
            "there is an array of this name already");
}

TEST_F(KeptTest, WhateverItIsANameIsFreed) {
  put("a", 10);
  kept_.make_object("x", "A");
  kept_.free("a");
  EXPECT_NE(lost_array("a"), "");
  EXPECT_EQ(lost_object("x"), "");
  kept_.free("x");
  EXPECT_NE(lost_object("x"), "");
  EXPECT_EQ(kept_.limit.used_bytes(), 0);
  kept_.free("x");  // It is not there any more.
  EXPECT_EQ(kept_.limit.used_bytes(), 0);
}

TEST_F(KeptTest, WhatIsDiscardedSaysWhy) {
  put("a", 10);
  kept_.make_object("x", "A");
  kept_.discard(std::vector<std::string>{"a", "x"}, "its time is over");
  EXPECT_EQ(kept_.limit.used_bytes(), 0);
  EXPECT_NE(lost_array("a").find("its time is over"), std::string::npos);
  EXPECT_NE(lost_object("x").find("its time is over"), std::string::npos);
}

TEST_F(KeptTest, TheQuotaOfTheNextClientIsAskedForWhatItLeavesAlone) {
  std::vector<std::int64_t> asked_bytes;
  kept_.lease_to({1, "ann"}, {}, {});
  put("a", 10);
  kept_.make_object("x", "A");
  kept_.lease_to({2, "bob"}, std::array<std::int64_t, 1>{1},
                 [&](const std::string&, const std::string&, std::int64_t bytes) {
                   asked_bytes.push_back(bytes);
                   return std::optional<Lost>();
                 });
  EXPECT_EQ(kept_.limit.used_bytes(), 0);  // Ann's client has gone.
  EXPECT_NE(lost_array("a"), "");
  EXPECT_NE(lost_object("x"), "");
  EXPECT_FALSE(kept_.array_refusal("b", vector_of(20)));
  kept_.make_object("y", "A");
  EXPECT_EQ(asked_bytes, (std::vector<std::int64_t>{160, 16}));
}

}  // namespace
}  // namespace tasuki::rpc
