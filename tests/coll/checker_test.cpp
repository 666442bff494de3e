// The checker finds what is wrong: each test breaks a good set of schedules in one way.
#include "checker.hpp"

#include <gtest/gtest.h>
#include <tasuki/detail/coll/registry.hpp>
#include <tasuki/detail/coll/schedule_builder.hpp>

namespace tasuki::coll::checker {
namespace {

class CheckerTest : public testing::Test {
 protected:
  /// Recursive doubling on 4 ranks, 3 elements each.
  CheckerTest() {
    one_.algorithm = &algorithm_named(Collective::allreduce, "recursive_doubling");
    one_.field = &integers();
    one_.seed = 5;
    for (int rank = 0; rank < 4; ++rank) {
      Shape& shape = one_.shapes.emplace_back();
      shape.ranks = 4;
      shape.rank = rank;
      shape.count = 3;
      schedules_.push_back(make_schedule(*one_.algorithm, shape));
    }
  }

  std::string failure() const { return run(one_, schedules_).failure; }

  void expect_failure(const std::string& part) const {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Case other = one_;
      other.order_seed = seed;
      const std::string text = run(other, schedules_).failure;
      EXPECT_NE(text.find(part), std::string::npos) << "'" << text << "' has no '" << part << "'";
    }
  }

  Case one_;
  std::vector<Schedule> schedules_;
};

TEST_F(CheckerTest, AcceptsGoodSchedules) { EXPECT_EQ(failure(), ""); }

TEST_F(CheckerTest, FindsADeadlock) {
  // Rank 0 never sends; rank 1 waits for it.
  ScheduleBuilder builder;
  builder.receive(1, {Buffer::output, 0, 3});
  builder.next_round();
  builder.receive(2, {Buffer::output, 0, 3});
  schedules_[0] = builder.finish();
  expect_failure("deadlock: rank 1 waits for ever");
}

TEST_F(CheckerTest, FindsAMessageThatNobodyReceives) {
  Schedule& schedule = schedules_[3];
  Transfer extra = schedule.transfers.back();
  extra.peer = 0;
  extra.sequence = 0;
  schedule.transfers.push_back(extra);
  schedule.rounds.back().transfers_end += 1;
  const std::string text = failure();
  EXPECT_TRUE(text.find("message 0 from 3 to 0 is never received") != std::string::npos ||
              text.find("deadlock") != std::string::npos)
      << text;
}

TEST_F(CheckerTest, FindsSizesThatDoNotMatch) {
  for (Transfer& transfer : schedules_[2].transfers) transfer.slice.count = 2;
  expect_failure(" expected");
}

TEST_F(CheckerTest, FindsAWrongResult) {
  schedules_[1].locals.front().kind = LocalKind::copy;
  expect_failure("wrong result");
}

TEST_F(CheckerTest, FindsTheWrongOrderOfOperands) {
  one_.field = &matrices();
  EXPECT_EQ(failure(), "");
  auto& kind = schedules_[1].locals.front().kind;
  kind = kind == LocalKind::reduce ? LocalKind::reduce_right : LocalKind::reduce;
  expect_failure("wrong result");
}

TEST_F(CheckerTest, FindsSlicesOutsideTheirBuffer) {
  schedules_[1].locals.front().to_offset = 1;
  expect_failure("slice [1, 4) of buffer 1 which has 3 elements");
}

TEST_F(CheckerTest, FindsWritesToTheInput) {
  schedules_[1].locals.front().to = Buffer::input;
  expect_failure("writes to the input");
}

TEST_F(CheckerTest, FindsReceivesThatOverwriteWhatIsSent) {
  ScheduleBuilder builder;
  builder.send(1, {Buffer::output, 0, 3});
  builder.receive(1, {Buffer::output, 2, 1});
  schedules_[0] = builder.finish();
  expect_failure("sends from where it receives");
}

TEST_F(CheckerTest, FindsOverlappingOperands) {
  ScheduleBuilder builder;
  builder.copy({Buffer::output, 0, 2}, {Buffer::output, 1, 2});
  schedules_[0] = builder.finish();
  expect_failure("operands of a local step overlap");
}

TEST_F(CheckerTest, FindsMessagesToOneself) {
  ScheduleBuilder builder;
  builder.send(0, {Buffer::input, 0, 3});
  schedules_[0] = builder.finish();
  expect_failure("peer 0");
}

TEST_F(CheckerTest, CountsRoundsInTheTelephoneModel) {
  EXPECT_EQ(measured_cost(schedules_), (Cost{2, 4 * 2 * 3}));
  // A root that receives from everybody does so one after the other.
  std::vector<Schedule> gather(4);
  for (int rank = 0; rank < 4; ++rank) {
    ScheduleBuilder builder;
    for (int source = 1; rank == 0 && source < 4; ++source) {
      builder.receive(source, {Buffer::output, static_cast<std::size_t>(source), 1});
    }
    if (rank != 0) builder.send(0, {Buffer::input, 0, 1});
    gather[static_cast<std::size_t>(rank)] = builder.finish();
  }
  EXPECT_EQ(measured_cost(gather), (Cost{3, 3}));
}

}  // namespace
}  // namespace tasuki::coll::checker
