#include "predict/channels.hpp"

#include <gtest/gtest.h>

#include <set>

#include "predict/arrivals.hpp"

namespace tasuki::predict {
namespace {

TEST(Channels, TheSameArgumentsHaveTheSameStream) {
  Channels channels(64);
  EXPECT_FALSE(channels.find(receive_of(message(1))));
  const Channels::Claim first = channels.claim(receive_of(message(1)));
  EXPECT_TRUE(first.is_new);
  const Channels::Claim again = channels.claim(receive_of(message(1), 99));
  EXPECT_FALSE(again.is_new);
  EXPECT_EQ(again.stream, first.stream);
  EXPECT_EQ(channels.find(receive_of(message(1))), first.stream);
}

TEST(Channels, OtherArgumentsHaveAnother) {
  Channels channels(64);
  std::set<std::size_t> streams;
  streams.insert(channels.claim(receive_of(message(1, 1, 7))).stream);
  streams.insert(channels.claim(receive_of(message(1, 2, 7))).stream);
  streams.insert(channels.claim(receive_of(message(1, 1, 8))).stream);
  streams.insert(channels.claim(from_any_source(message(1, 1, 7))).stream);
  streams.insert(channels.claim(Receive{}).stream);
  EXPECT_EQ(streams.size(), 5);
}

TEST(Channels, AWildcardIsNotTheRankZero) {
  Channels channels(64);
  const std::size_t any = channels.claim(from_any_source(message(1, 0))).stream;
  EXPECT_NE(channels.claim(receive_of(message(1, 0))).stream, any);
}

TEST(Channels, TheOneUsedLongestAgoIsReplaced) {
  Channels channels(Channels::ways_count);  // All share the same places.
  for (std::int32_t tag = 0; tag < static_cast<std::int32_t>(Channels::ways_count); ++tag) {
    EXPECT_TRUE(channels.claim(receive_of(message(1, 1, tag))).is_new);
  }
  EXPECT_FALSE(channels.claim(receive_of(message(1, 1, 0))).is_new);
  EXPECT_TRUE(channels.claim(receive_of(message(1, 1, 100))).is_new);
  EXPECT_TRUE(channels.find(receive_of(message(1, 1, 0))));
  EXPECT_FALSE(channels.find(receive_of(message(1, 1, 1))));
}

}  // namespace
}  // namespace tasuki::predict
