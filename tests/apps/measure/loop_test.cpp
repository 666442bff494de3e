#include "measure/loop.hpp"

#include <gtest/gtest.h>

#include <array>

#include "common/usage_error.hpp"

namespace tasuki::apps {
namespace {

template <class... Words>
Loop parsed(Words... words) {
  const std::array<const char*, sizeof...(words) + 1> arguments{"program", words...};
  return parse_loop(static_cast<int>(arguments.size()), arguments.data());
}

TEST(Loop, IsWhatTheWordsSay) {
  const Loop loop = parsed("alltoall", "4", "10000");
  EXPECT_EQ(loop.collective, "alltoall");
  EXPECT_EQ(loop.bytes, 4U);
  EXPECT_EQ(loop.calls, 10'000U);
}

TEST(Loop, OfAnotherCollectiveOrOfNothingIsRefused) {
  EXPECT_THROW(parsed("broadcast", "4", "1"), usage_error);
  EXPECT_THROW(parsed("alltoall", "0", "1"), usage_error);
  EXPECT_THROW(parsed("alltoall", "4", "-1"), usage_error);
  EXPECT_THROW(parsed("alltoall", "4", "ten"), usage_error);
  EXPECT_THROW(parsed("alltoall", "4"), usage_error);
}

}  // namespace
}  // namespace tasuki::apps
