#include "npb/common/random.hpp"

#include <gtest/gtest.h>

namespace tasuki::npb {
namespace {

// 314159265 * 1220703125^k mod 2^46, computed with arbitrary precision.
TEST(Random, GivesTheNumbersOfTheSpecification) {
  RandomStream random;
  for (const std::uint64_t state : {55909509111989, 61155031930969, 45573031421645}) {
    EXPECT_EQ(random.next(), static_cast<double>(state) * 0x1p-46);
    EXPECT_EQ(random.state(), state);
  }
}

TEST(Random, SkipsAsIfDrawn) {
  for (const int count : {0, 1, 2, 3, 7, 64, 1000}) {
    RandomStream drawn;
    for (int k = 0; k < count; ++k) drawn.next();
    RandomStream skipped;
    skipped.skip(static_cast<std::uint64_t>(count));
    EXPECT_EQ(skipped.state(), drawn.state()) << count;
  }
  RandomStream far;
  far.skip(1'000'000'000'000);
  EXPECT_EQ(far.state(), 59560114155681u);
}

}  // namespace
}  // namespace tasuki::npb
