#include "rpc/rank/kept_arrays.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tasuki::rpc {
namespace {

using layout::ArrayLayout;
using layout::Axis;
using layout::Grid;

/// For another array.
bool has_room(const KeptArrays& arrays, const ArrayLayout& layout) {
  return !arrays.refusal("another", layout);
}

ArrayLayout vector_of(std::int64_t n) { return {{Axis(n, layout::Cyclic{}, 2)}, Grid({2}), 8}; }

void put(KeptArrays& arrays, const std::string& id, std::int64_t n) {
  BlockMemory memory;
  arrays.keep(id, Number::float64, vector_of(n), memory.take(static_cast<std::size_t>(8 * n)));
}

/// What the error says that `call` throws.
template <class Call>
std::string happened_in(Call call) {
  try {
    call();
  } catch (const Lost& fault) {
    return fault.kind() + ": " + fault.happened();
  }
  return {};
}

TEST(KeptArraysTest, AnArrayIsFoundByNameAndLayoutUntilItIsFreed) {
  KeepLimit limit(1000);
  KeptArrays arrays(limit);
  put(arrays, "a", 10);
  EXPECT_NE(arrays.find("a", Number::float64, vector_of(10)), nullptr);
  EXPECT_THROW(arrays.find("a", Number::float64, vector_of(11)), LostArray);
  EXPECT_THROW(arrays.find("b", Number::float64, vector_of(10)), LostArray);
  arrays.free("b");
  arrays.free("a");
  EXPECT_THROW(arrays.find("a", Number::float64, vector_of(10)), LostArray);
}

TEST(KeptArraysTest, AnArrayIsOfItsTypeAlone) {
  KeepLimit limit(1000);
  KeptArrays arrays(limit);
  put(arrays, "a", 10);
  for (const Number other : {Number::int64, Number::complex64}) {  // As long as a float64.
    EXPECT_EQ(happened_in([&] { arrays.find("a", other, vector_of(10)); }),
              "lost-array: the array is of float64, and the argument is of " +
                  std::string(name_of(other)));
  }
}

TEST(KeptArraysTest, TheLimitIsOfAllRanksTogether) {
  KeepLimit limit(8 * 100);
  KeptArrays arrays(limit);
  put(arrays, "a", 60);
  EXPECT_TRUE(has_room(arrays, vector_of(40)));
  EXPECT_FALSE(has_room(arrays, vector_of(41)));
  EXPECT_EQ(arrays.refusal("b", vector_of(41)).value().kind(), "quota");
  const ArrayLayout copies({Axis(21, layout::Whole{}, 1)}, layout::Replicated{2}, 8);
  EXPECT_FALSE(has_room(arrays, copies));
  arrays.free("a");
  EXPECT_TRUE(has_room(arrays, vector_of(100)));
}

TEST(KeptArraysTest, MoreBytesThanCanBeCountedAreTooMany) {
  KeepLimit limit(INT64_MAX - 1);
  KeptArrays arrays(limit);
  const ArrayLayout copies({Axis((std::int64_t{1} << 60) - 1, layout::Whole{}, 1)},
                           layout::Replicated{4}, 8);
  EXPECT_EQ(arrays.refusal("a", copies).value().kind(), "quota");
}

TEST(KeptArraysTest, ANameIsGivenOnce) {
  KeepLimit limit(1000);
  KeptArrays arrays(limit);
  put(arrays, "a", 10);
  EXPECT_NE(arrays.refusal("a", vector_of(10)).value().happened().find("of this name already"),
            std::string::npos);
  arrays.free("a");
  EXPECT_FALSE(arrays.refusal("a", vector_of(10)));
  EXPECT_EQ(limit.used_bytes(), 0);
}

TEST(KeptArraysTest, ArraysOfClientsThatHaveGoneAreFreed) {
  KeepLimit limit(1000);
  KeptArrays arrays(limit);
  arrays.lease_to({1}, {});
  put(arrays, "a", 10);
  arrays.lease_to({2}, {});
  put(arrays, "b", 10);
  put(arrays, "c", 10);
  arrays.lease_to({3}, std::array<std::int64_t, 2>{2, 7});
  EXPECT_NE(arrays.find("a", Number::float64, vector_of(10)), nullptr);
  EXPECT_THROW(arrays.find("b", Number::float64, vector_of(10)), LostArray);
  EXPECT_THROW(arrays.find("c", Number::float64, vector_of(10)), LostArray);
  EXPECT_TRUE(has_room(arrays, vector_of(115)));
}

TEST(KeptArraysTest, AnArrayThatIsDiscardedIsFreedAndSaysWhyUntilItsClientGoes) {
  KeepLimit limit(8 * 10);
  KeptArrays arrays(limit);
  arrays.lease_to({1}, {});
  put(arrays, "a", 10);
  arrays.discard("a", "its time is over");
  arrays.discard("b", "its time is over");
  EXPECT_TRUE(has_room(arrays, vector_of(10)));
  const auto find = [&](const char* id) { arrays.find(id, Number::float64, vector_of(10)); };
  EXPECT_NE(happened_in([&] { find("a"); }).find("lost-array: its time is over"),
            std::string::npos);
  EXPECT_EQ(happened_in([&] { find("b"); }).find("its time is over"), std::string::npos);
  arrays.lease_to({2}, std::array<std::int64_t, 1>{1});
  EXPECT_EQ(happened_in([&] { find("a"); }).find("its time is over"), std::string::npos);
}

TEST(KeptArraysTest, AnArrayIsOfTheClientsOfOneUser) {
  KeepLimit limit(1000);
  KeptArrays arrays(limit);
  arrays.lease_to({1, "ann"}, {});
  put(arrays, "a", 10);
  put(arrays, "b", 10);
  arrays.discard("b", "its time is over");
  arrays.lease_to({2, "ann"}, {});
  EXPECT_NE(arrays.find("a", Number::float64, vector_of(10)), nullptr);
  arrays.lease_to({3, "bob"}, {});
  const auto find = [&](const char* id) { arrays.find(id, Number::float64, vector_of(10)); };
  const std::string of_another = happened_in([&] { find("a"); });
  EXPECT_EQ(of_another, happened_in([&] { find("c"); }));
  EXPECT_EQ(of_another, happened_in([&] { find("b"); }));
  arrays.free("a");
  EXPECT_EQ(limit.used_bytes(), 80);
}

TEST(KeptArraysTest, AClientHasSoManyAtOnce) {
  KeepLimit limit(1'000'000);
  KeptArrays arrays(limit);
  arrays.lease_to({1}, {});
  for (std::ptrdiff_t i = 0; i < KeepLimit::of_client_most; ++i) put(arrays, std::to_string(i), 1);
  const auto refusal = arrays.refusal("one more", vector_of(1));
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->kind(), "quota");
  EXPECT_EQ(refusal->happened(), "the client has 1000 arrays already");
  EXPECT_EQ(refusal->remedy(), "free some of them");
  arrays.free("7");
  EXPECT_TRUE(has_room(arrays, vector_of(1)));
  put(arrays, "7", 1);
  arrays.lease_to({2}, {});
  EXPECT_TRUE(has_room(arrays, vector_of(1)));
}

TEST(KeptArraysTest, WhoKnowsTheQuotaIsAskedLast) {
  KeepLimit limit(8 * 100);
  KeptArrays arrays(limit);
  std::vector<std::string> asked;
  limit.count_for([&](const std::string& operation, const std::string& name, std::int64_t bytes) {
    asked.push_back(name);
    return bytes < 80 ? std::nullopt : std::optional(Lost(quota_kind, operation, "full", "free"));
  });
  put(arrays, "a", 10);
  EXPECT_TRUE(arrays.refusal("a", vector_of(1)));
  EXPECT_TRUE(arrays.refusal("b", vector_of(91)));
  EXPECT_TRUE(asked.empty());  // What is refused anyway does not count.
  EXPECT_FALSE(arrays.refusal("c", vector_of(9)));
  EXPECT_EQ(arrays.refusal("d", vector_of(10)).value().kind(), quota_kind);
  EXPECT_EQ(asked, (std::vector<std::string>{"c", "d"}));
  limit.count_for({});
  EXPECT_FALSE(arrays.refusal("d", vector_of(10)));
}

}  // namespace
}  // namespace tasuki::rpc
