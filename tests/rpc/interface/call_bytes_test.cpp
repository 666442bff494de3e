#include "rpc/interface/call_bytes.hpp"

#include <gtest/gtest.h>

#include <string>
#include <tasuki/error.hpp>
#include <vector>

namespace tasuki::rpc {
namespace {

layout::ArrayLayout replicated(std::int64_t elements, int ranks) {
  return {{{elements, layout::Whole{}, 1}}, layout::Replicated{ranks}, 8};
}

layout::ArrayLayout divided(std::int64_t elements, int ranks) {
  return {{{elements, layout::Block{}, ranks}}, layout::Grid({ranks}), 8};
}

TEST(CallBytesTest, TheRankThatHasMostCounts) {
  EXPECT_EQ(most_bytes_on_a_rank({}), 0);
  EXPECT_EQ(most_bytes_on_a_rank({std::nullopt}), 0);
  // 5 elements on 2 ranks: 3 and 2; and 10 on each.
  EXPECT_EQ(most_bytes_on_a_rank({divided(5, 2), std::nullopt, replicated(10, 2)}), 8 * 13);
}

TEST(CallBytesTest, ASumBeyondAllNumbersIsTheHighest) {
  const layout::ArrayLayout large = replicated(INT64_MAX / 16, 1);
  EXPECT_EQ(most_bytes_on_a_rank({large, large, large}), INT64_MAX);
}

TEST(CallBytesTest, MoreThanTheLimitIsRefusedWithBothNumbers) {
  const Routine routine{.name = "solve"};
  check_call_bytes(routine, {replicated(10, 1)}, 80);
  check_call_bytes(routine, {replicated(INT64_MAX / 16, 1)}, no_call_limit);
  try {
    check_call_bytes(routine, {replicated(10, 1)}, 79);
    FAIL() << "it was not refused";
  } catch (const error& fault) {
    EXPECT_NE(fault.happened().find("80 bytes"), std::string::npos) << fault.happened();
    EXPECT_NE(fault.happened().find("allows 79"), std::string::npos) << fault.happened();
  }
}

}  // namespace
}  // namespace tasuki::rpc
