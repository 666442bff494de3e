#include "rpc/wire/pace.hpp"

#include <gtest/gtest.h>

namespace tasuki::rpc {
namespace {

using std::chrono::seconds;
const Pace::Clock::time_point begin{seconds(1000)};
constexpr std::size_t enough_bytes = 60 * Pace::least_bytes_per_s;

TEST(PaceTest, WhoMovesAByteNowAndThenIsTooSlow) {
  Pace pace(seconds(60));
  EXPECT_TRUE(pace.keeps_up(1, begin));
  EXPECT_TRUE(pace.keeps_up(1, begin + seconds(59)));
  EXPECT_FALSE(pace.keeps_up(1, begin + seconds(60)));
}

TEST(PaceTest, WhoMovesEnoughHasTheWholeTimeAgain) {
  Pace pace(seconds(60));
  for (int minute = 0; minute < 5; ++minute) {
    EXPECT_TRUE(pace.keeps_up(enough_bytes / 2, begin + seconds(60 * minute)));
    EXPECT_TRUE(pace.keeps_up(enough_bytes / 2, begin + seconds(60 * minute + 59)));
  }
  EXPECT_TRUE(pace.keeps_up(enough_bytes, begin + seconds(1000)));
}

TEST(PaceTest, WithoutALimitAnyPaceIsEnough) {
  Pace pace(seconds(0));
  EXPECT_TRUE(pace.keeps_up(0, begin));
  EXPECT_TRUE(pace.keeps_up(0, begin + seconds(1'000'000)));
}

}  // namespace
}  // namespace tasuki::rpc
