#include <gtest/gtest.h>
#include <tasuki/detail/coll/registry.hpp>
#include <tasuki/detail/coll/schedule_builder.hpp>

namespace tasuki::coll {
namespace {

constexpr std::size_t count = 6;
constexpr Slice input{Buffer::input, 0, count};
constexpr Slice own{Buffer::output, count, count};
constexpr Slice other{Buffer::output, 0, count};

/// What a rank has is first copied to its place; then `sent` goes out and `received` comes in.
Schedule exchange(Slice sent, Slice received) {
  ScheduleBuilder builder;
  builder.copy(input, own);
  builder.next_round();
  builder.send(1, sent);
  builder.receive(1, received);
  return builder.finish();
}

TEST(ScheduleBuilderTest, WhatIsOnlyCopiedFirstIsSentFromTheInput) {
  const Schedule schedule = exchange(own.part(2, 3), other.part(0, 3));
  ASSERT_EQ(schedule.rounds.size(), 1U);
  const RoundView round = schedule.round(0);
  EXPECT_EQ(round.sends.front().slice.buffer, Buffer::input);
  EXPECT_EQ(round.sends.front().slice.offset, 2U);
  EXPECT_EQ(round.sends.front().slice.count, 3U);
  ASSERT_EQ(round.locals.size(), 1U);
  EXPECT_EQ(round.locals.front().to, Buffer::output);
}

TEST(ScheduleBuilderTest, CopiesThatReceivesWriteOverComeFirst) {
  const Schedule schedule = exchange(own, own);
  ASSERT_EQ(schedule.rounds.size(), 2U);
  EXPECT_EQ(schedule.round(1).sends.front().slice.buffer, Buffer::output);
}

TEST(ScheduleBuilderTest, CopiesComeFirstIfMoreThanTheyMakeIsSent) {
  const Schedule schedule = exchange({Buffer::output, 0, 2 * count}, {Buffer::scratch, 0, count});
  EXPECT_EQ(schedule.rounds.size(), 2U);
}

TEST(ScheduleBuilderTest, ReductionsComeFirst) {
  ScheduleBuilder builder;
  builder.copy(input, own);
  builder.reduce(input, own);
  builder.next_round();
  builder.send(1, own);
  EXPECT_EQ(builder.finish().rounds.size(), 2U);
}

TEST(ScheduleBuilderTest, TwoRanksGatherFromAllInOneRound) {
  Shape shape;
  shape.ranks = 2;
  shape.count = count;
  for (const char* name : {"linear", "ring", "recursive_doubling", "neighbor_exchange", "bruck"}) {
    const auto& algorithm = algorithm_named(Collective::allgather, name);
    EXPECT_EQ(make_schedule(algorithm, shape, complete(algorithm, {})).rounds.size(), 1U) << name;
  }
}

}  // namespace
}  // namespace tasuki::coll
