#include <gtest/gtest.h>
#include <tasuki/detail/layout/overlap.hpp>

#include <array>
#include <limits>
#include <set>
#include <vector>

#include "layout/random_layout.hpp"

namespace tasuki::layout {
namespace {

std::array<std::byte, 4096> memory;

std::set<std::int64_t> bytes_of(const PlacedElements& elements) {
  if (elements.element_bytes == 0) return {};
  std::vector<std::int64_t> begins = {elements.lowest - memory.data()};
  for (const auto& [stride_bytes, count] : elements.steps) {
    std::vector<std::int64_t> all;
    for (std::int64_t i = 0; i < count; ++i) {
      for (const std::int64_t begin : begins) all.push_back(begin + i * stride_bytes);
    }
    begins = std::move(all);
  }
  std::set<std::int64_t> bytes;
  for (const std::int64_t begin : begins) {
    for (std::int64_t i = 0; i < elements.element_bytes; ++i) bytes.insert(begin + i);
  }
  return bytes;
}

Overlap by_bytes(const PlacedElements& one, const PlacedElements& other) {
  const std::set<std::int64_t> bytes = bytes_of(one);
  for (const std::int64_t byte : bytes_of(other)) {
    if (bytes.contains(byte)) return Overlap::some;
  }
  return Overlap::none;
}

/// `count` doubles, each `stride` doubles behind the one before it.
PlacedElements doubles(std::int64_t first, std::int64_t stride, std::int64_t count) {
  return {memory.data() + 8 * first, 8, {{8 * stride, count}}};
}

/// The part of a matrix of doubles with rows of 20.
PlacedElements part(std::int64_t row, std::int64_t rows, std::int64_t column,
                    std::int64_t columns) {
  return {memory.data() + 8 * (20 * row + column), 8, {{8, columns}, {160, rows}}};
}

TEST(OverlapTest, IsThatOfTheBytes) {
  RandomLayouts random(7);
  constexpr std::array strides_bytes = {1, 2, 3, 4, 6, 8, 12, 16, 24, 40, 64};
  const auto placed = [&] {
    PlacedElements made{memory.data() + random.number(0, 100), random.number(1, 8)};
    const std::int64_t steps = random.number(0, 3);
    for (std::int64_t i = 0; i < steps; ++i) {
      const auto at = static_cast<std::size_t>(random.number(0, strides_bytes.size() - 1));
      made.steps.push_back({strides_bytes[at], random.number(2, 5)});
    }
    return made;
  };
  std::array counts = {0, 0};
  for (int round = 0; round < 5000; ++round) {
    const PlacedElements one = placed();
    const PlacedElements other = placed();
    const Overlap expected = by_bytes(one, other);
    ASSERT_EQ(overlap_of(one, other), expected) << "round " << round;
    ASSERT_EQ(overlap_of(other, one), expected) << "round " << round;
    ++counts[expected == Overlap::some ? 1 : 0];
  }
  EXPECT_GT(counts[0], 500);
  EXPECT_GT(counts[1], 500);
}

TEST(OverlapTest, EverySecondElementIsApartFromTheOthers) {
  EXPECT_EQ(overlap_of(doubles(0, 2, 100), doubles(1, 2, 100)), Overlap::none);
  EXPECT_EQ(overlap_of(doubles(0, 2, 100), doubles(2, 2, 100)), Overlap::some);
  EXPECT_EQ(overlap_of(doubles(0, 6, 50), doubles(1, 4, 70)), Overlap::none);
  EXPECT_EQ(overlap_of(doubles(0, 6, 50), doubles(1, 3, 70)), Overlap::none);
  EXPECT_EQ(overlap_of(doubles(0, 6, 50), doubles(1, 5, 70)), Overlap::some);
}

TEST(OverlapTest, PartsOfAMatrixAreTold) {
  EXPECT_EQ(overlap_of(part(0, 10, 0, 7), part(0, 10, 7, 13)), Overlap::none);
  EXPECT_EQ(overlap_of(part(0, 10, 0, 8), part(0, 10, 7, 13)), Overlap::some);
  EXPECT_EQ(overlap_of(part(0, 5, 3, 9), part(5, 5, 2, 9)), Overlap::none);
}

TEST(OverlapTest, LongArraysTakeNoLonger) {
  constexpr std::int64_t many = std::int64_t{1} << 50;
  EXPECT_EQ(overlap_of(doubles(0, 2, many), doubles(1, 2, many)), Overlap::none);
  EXPECT_EQ(overlap_of(doubles(0, 2, many), doubles(1, 3, many)), Overlap::some);
  // More than any memory.
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(overlap_of(doubles(0, 2, most / 8), doubles(1, 2, 2)), Overlap::unknown);
}

TEST(OverlapTest, StridesOfDifferentLengthsMayTakeTooLong) {
  const auto odd = [](std::int64_t first, std::int64_t stride_bytes) {
    return PlacedElements{
        memory.data() + first, 1, {{stride_bytes, 100'000}, {stride_bytes + 2, 99'999}}};
  };
  EXPECT_EQ(overlap_of(odd(0, 100'003), odd(1, 200'017)), Overlap::unknown);
}

TEST(OverlapTest, EmptyArraysOverlapNothing) {
  const PlacedElements empty{memory.data(), 0};
  EXPECT_EQ(overlap_of(empty, doubles(0, 1, 10)), Overlap::none);
  EXPECT_EQ(overlap_of(doubles(0, 1, 10), empty), Overlap::none);
}

TEST(OverlapTest, ElementsAreThoseOfTheView) {
  RandomLayouts random(8);
  for (int round = 0; round < 300; ++round) {
    const ArrayLayout layout = random.layout();
    if (layout.whole_bytes() > 100'000) continue;
    const ArrayView view = random.view(layout);
    std::set<std::int64_t> expected;
    for (int rank = 0; rank < layout.ranks(); ++rank) {
      for (const Index& index : indices_of(layout, rank)) {
        for (std::int64_t i = 0; i < layout.element_bytes(); ++i) {
          expected.insert(offset_bytes(view, index) + i);
        }
      }
    }
    EXPECT_EQ(bytes_of(placed_elements(layout, view, memory.data())), expected);
  }
}

}  // namespace
}  // namespace tasuki::layout
