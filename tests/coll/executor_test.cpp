#include <gtest/gtest.h>
#include <tasuki/detail/coll/executor.hpp>
#include <tasuki/detail/coll/schedule_builder.hpp>

#include <array>
#include <cstring>
#include <vector>

namespace tasuki::coll {
namespace {

/// Notes what it is asked and completes it when the test says so.
class ManualChannel final : public Channel {
 public:
  struct Call {
    bool is_send;
    int peer;
    std::uint32_t sequence;
    std::size_t bytes;
    bool operator==(const Call&) const = default;
  };

  bool send(Execution&, int peer, std::uint32_t sequence,
            std::span<const std::byte> bytes) override {
    calls.push_back({true, peer, sequence, bytes.size()});
    return sends_complete_at_once;
  }
  bool receive(Execution& execution, int peer, std::uint32_t sequence,
               std::span<std::byte> into) override {
    calls.push_back({false, peer, sequence, into.size()});
    targets.push_back(into);
    // The other way of being complete at once.
    if (receives_complete_inside) {
      EXPECT_FALSE(execution.transfer_done());
    }
    return false;
  }

  std::vector<Call> calls;
  std::vector<std::span<std::byte>> targets;
  bool sends_complete_at_once = true;
  bool receives_complete_inside = false;
};

class ExecutorTest : public testing::Test {
 protected:
  ExecutorTest() {
    for (int step = 0; step < 2; ++step) {
      builder_.send(1, {Buffer::input, 0, 2});
      builder_.receive(1, {Buffer::output, 0, 2});
      builder_.reduce({Buffer::input, 0, 2}, {Buffer::output, 0, 2});
      builder_.next_round();
    }
    schedule_ = builder_.finish();
    buffers_ = {reinterpret_cast<const std::byte*>(input_.data()),
                reinterpret_cast<std::byte*>(output_.data()), nullptr, sizeof(int), &sum_};
  }

  ScheduleBuilder builder_;
  Schedule schedule_;
  std::array<int, 2> input_ = {1, 2};
  std::array<int, 2> output_ = {};
  ReduceOp sum_ = reduce_op<int>(Sum{});
  Buffers buffers_;
  ManualChannel channel_;
};

TEST_F(ExecutorTest, ReceivesAreHandedOutBeforeSendsAndNumbered) {
  Execution execution(schedule_, buffers_, channel_);
  EXPECT_FALSE(execution.advance());
  EXPECT_EQ(channel_.calls, (std::vector<ManualChannel::Call>{{false, 1, 0, 8}, {true, 1, 0, 8}}));
}

TEST_F(ExecutorTest, ShortSendsAreHandedOutBeforeReceivesWhereTheChannelWantsIt) {
  channel_.sent_first_below_bytes = 9;
  Execution execution(schedule_, buffers_, channel_);
  EXPECT_FALSE(execution.advance());
  EXPECT_TRUE(execution.transfer_done());
  EXPECT_FALSE(execution.advance());
  EXPECT_EQ(channel_.calls,
            (std::vector<ManualChannel::Call>{
                {true, 1, 0, 8}, {false, 1, 0, 8}, {true, 1, 1, 8}, {false, 1, 1, 8}}));
}

TEST_F(ExecutorTest, LongSendsAreHandedOutAfterReceives) {
  constexpr std::size_t bytes = 4096;
  channel_.sent_first_below_bytes = bytes;
  const std::vector<std::byte> input(bytes);
  std::vector<std::byte> output(bytes);
  ScheduleBuilder builder;
  builder.send(1, {Buffer::input, 0, bytes});
  builder.receive(1, {Buffer::output, 0, bytes});
  const Schedule schedule = builder.finish();
  Execution execution(schedule, {input.data(), output.data(), nullptr, 1, nullptr}, channel_);
  EXPECT_FALSE(execution.advance());
  EXPECT_EQ(channel_.calls,
            (std::vector<ManualChannel::Call>{{false, 1, 0, bytes}, {true, 1, 0, bytes}}));
}

TEST_F(ExecutorTest, LocalStepsWaitForTheTransfers) {
  Execution execution(schedule_, buffers_, channel_);
  EXPECT_FALSE(execution.advance());
  EXPECT_FALSE(execution.advance()) << "nothing has happened since";
  const std::array<int, 2> arrived = {10, 20};
  std::memcpy(channel_.targets[0].data(), arrived.data(), sizeof arrived);
  EXPECT_EQ(output_, arrived);
  EXPECT_TRUE(execution.transfer_done());
  EXPECT_FALSE(execution.advance());
  EXPECT_EQ(output_, (std::array<int, 2>{11, 22}));
  EXPECT_TRUE(execution.transfer_done());
  EXPECT_FALSE(execution.done());
  EXPECT_TRUE(execution.advance());
  EXPECT_TRUE(execution.done());
  EXPECT_TRUE(execution.advance()) << "stays done";
}

TEST_F(ExecutorTest, SendsUnderWayHoldTheRound) {
  channel_.sends_complete_at_once = false;
  Execution execution(schedule_, buffers_, channel_);
  EXPECT_FALSE(execution.advance());
  EXPECT_FALSE(execution.transfer_done()) << "the other transfer is still under way";
  EXPECT_TRUE(execution.transfer_done());
}

TEST_F(ExecutorTest, CompletionInsideTheCallsDoesNotRecur) {
  channel_.receives_complete_inside = true;
  Execution execution(schedule_, buffers_, channel_);
  EXPECT_TRUE(execution.advance());
}

TEST_F(ExecutorTest, AnEmptyScheduleIsDoneAtOnce) {
  const Schedule empty;
  Execution execution(empty, buffers_, channel_);
  EXPECT_TRUE(execution.advance());
}

TEST_F(ExecutorTest, CopyOntoItselfIsSkipped) {
  builder_.copy({Buffer::input, 0, 2}, {Buffer::output, 0, 2});
  const Schedule copy = builder_.finish();
  buffers_.input = buffers_.output;
  output_ = {5, 6};
  Execution execution(copy, buffers_, channel_);
  EXPECT_TRUE(execution.advance());
  EXPECT_EQ(output_, (std::array<int, 2>{5, 6}));
}

}  // namespace
}  // namespace tasuki::coll
