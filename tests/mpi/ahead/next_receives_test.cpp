#include "mpi/ahead/next_receives.hpp"

#include <gtest/gtest.h>

namespace tasuki::mpi::ahead {
namespace {

constexpr Channel small{1, 5, 77};
constexpr Channel large{2, 7, 77};
constexpr Channel elsewhere{2, 7, 78};

void receive(NextReceives& receives, const Channel& channel, std::int64_t message_bytes) {
  receives.begins(channel);
  receives.ended(message_bytes);
}

TEST(NextReceives, IsTheOneThatFollowedTheLastTime) {
  NextReceives receives;
  EXPECT_FALSE(receives.expected());
  receive(receives, small, 4);
  EXPECT_FALSE(receives.expected());
  receive(receives, large, 1000);
  receives.begins(small);
  ASSERT_TRUE(receives.expected());
  EXPECT_EQ(receives.expected()->channel, large);
  EXPECT_EQ(receives.expected()->message_bytes, 1000);
  receives.begins(elsewhere);
  receives.begins(small);
  EXPECT_EQ(receives.expected()->channel, elsewhere);
}

TEST(NextReceives, OfACommunicatorAreForgottenWithIt) {
  NextReceives receives;
  receive(receives, small, 4);
  receive(receives, elsewhere, 1000);
  receives.begins(small);
  receives.forget(78);
  EXPECT_FALSE(receives.expected());
  receives.begins(large);
  receives.begins(small);
  EXPECT_EQ(receives.expected()->channel, large);
  receives.forget(77);
  receives.begins(small);
  EXPECT_FALSE(receives.expected());
}

TEST(NextReceives, AreNotMoreThanItKeeps) {
  NextReceives receives;
  const int most = NextReceives::most_channels;
  for (int tag = 0; tag <= most; ++tag) receives.begins({0, tag, 77});
  receives.begins({0, 0, 77});
  EXPECT_FALSE(receives.expected()) << "what followed the first has been forgotten";
}

}  // namespace
}  // namespace tasuki::mpi::ahead
