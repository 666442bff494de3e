#include "rpc/rank/long_arrays.hpp"

#include <gtest/gtest.h>

#include <array>
#include <span>
#include <string>

#include "rpc/wire/happened.hpp"

namespace tasuki::rpc {
namespace {

TEST(LongArraysTest, ElementsKeepTheirSignsThereAndBack) {
  std::array<std::int32_t, 3> block = {-1, INT32_MIN, INT32_MAX};
  LongArrays arrays;
  auto* const copy = static_cast<long*>(arrays.widen(block.data(), Number::int32, block.size()));
  const std::span<long> elements(copy, block.size());
  EXPECT_EQ(elements[0], -1);
  EXPECT_EQ(elements[1], INT32_MIN);
  EXPECT_EQ(arrays.block_of(copy), block.data());
  EXPECT_EQ(arrays.block_of(block.data()), nullptr);
  elements[0] = INT32_MIN;
  arrays.narrow(block.data(), "x");
  EXPECT_EQ(block, (std::array{INT32_MIN, INT32_MIN, INT32_MAX}));
}

TEST(LongArraysTest, UnsignedElementsAreThoseOfUnsignedLong) {
  std::array<std::uint32_t, 1> block = {UINT32_MAX};
  LongArrays arrays;
  auto* const copy = static_cast<unsigned long*>(arrays.widen(block.data(), Number::uint32, 1));
  EXPECT_EQ(*copy, UINT32_MAX);
  *copy = 0;
  --*copy;  // Of a signed long it would be -1.
  const std::string happened = happened_in([&] { arrays.narrow(block.data(), "x"); });
  EXPECT_NE(happened.find("x is 18446744073709551615"), std::string::npos) << happened;
}

TEST(LongArraysTest, AnElementThatDoesNotFitIsNamed) {
  std::array<std::int32_t, 2> block = {};
  LongArrays arrays;
  auto* const copy = static_cast<long*>(arrays.widen(block.data(), Number::int32, block.size()));
  copy[1] = long{INT32_MAX} + 1;
  const std::string happened = happened_in([&] { arrays.narrow(block.data(), "x"); });
  EXPECT_EQ(happened, "element 1 of x is 2147483648, and a long travels with 32 bits");
}

TEST(LongArraysTest, ABlockOfTwoArgumentsHasOneCopy) {
  std::array<std::int32_t, 2> block = {1, 2};
  LongArrays arrays;
  void* const first = arrays.widen(block.data(), Number::int32, block.size());
  EXPECT_EQ(arrays.widen(block.data(), Number::int32, block.size()), first);
  EXPECT_EQ(arrays.block_of(first), block.data());
}

TEST(LongArraysTest, AnEmptyBlockHasACopy) {
  std::int32_t block = 0;
  LongArrays arrays;
  EXPECT_NE(arrays.widen(&block, Number::int32, 0), nullptr);
}

}  // namespace
}  // namespace tasuki::rpc
