#include "node/segment/staging_buffer.hpp"

#include <gtest/gtest.h>

#include <array>
#include <exception>

#include "node/no_peers.hpp"

namespace tasuki::node {
namespace {

/// Thrown where a rank would have to wait: here the test plays all ranks by itself.
struct MustWait : std::exception {};

class HostThatCannotWait final : public Host {
 public:
  HostThatCannotWait(transport::PeerMemory& peers, int rank, bool has_core = true)
      : Host(peers, {.rank = rank, .may_spin = has_core}) {}
  void* allocate(std::size_t, std::size_t) override { return nullptr; }
  void free(void*) override {}
  bool yield_to_peers(std::uint64_t) override { throw MustWait(); }
  void wait_until(const Condition&, const WaitNote&) override { throw MustWait(); }
};

class StagingBufferTest : public testing::Test {
 protected:
  static constexpr std::uint64_t ring_steps = 16;

  /// Does `rank` get the line of the step without waiting?
  static bool can_open(StagingBuffer& buffer, std::uint64_t step) {
    try {
      buffer.open_line(step);
      return true;
    } catch (const MustWait&) {
      return false;
    }
  }
  static void publish(StagingBuffer& buffer, std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t step = begin; step < end; ++step) {
      buffer.open_line(step);
      buffer.publish(step);
    }
  }
  static StagingBuffer::Turn turn_of(StagingBuffer& buffer, std::uint64_t steps_count,
                                     std::uint64_t lag) {
    return {buffer, steps_count, CallTag(coll::Collective::allreduce, 8, 0), "allreduce", lag};
  }

  NoPeers peers_;
  HostThatCannotWait first_host_{peers_, 0};
  HostThatCannotWait second_host_{peers_, 1};
  alignas(64) std::array<std::byte, 4096> memory_{};
  StagingBuffer first_{first_host_, {{0, 1}, 0, 0}, memory_.data()};
  StagingBuffer second_{second_host_, {{0, 1}, 1, 0}, memory_.data()};
};

TEST_F(StagingBufferTest, ARankThatMustWaitWaitsForTheSeventhStepBefore) {
  const auto first_turn = turn_of(first_, 2 * ring_steps, StagingBuffer::usual_lag);
  const auto second_turn = turn_of(second_, 2 * ring_steps, StagingBuffer::usual_lag);
  publish(first_, 0, ring_steps);
  publish(second_, 0, ring_steps - 7);
  EXPECT_FALSE(can_open(first_, ring_steps));
  publish(second_, ring_steps - 7, ring_steps - 6);
  publish(first_, ring_steps, ring_steps + 8);  // It need not wait again for seven steps.
  EXPECT_FALSE(can_open(first_, ring_steps + 8));
}

TEST_F(StagingBufferTest, ARankThatSharesItsCoreWaitsForNoMoreThanItNeeds) {
  HostThatCannotWait sharing_host(peers_, 0, false);
  StagingBuffer sharing(sharing_host, {{0, 1}, 0, 0}, memory_.data());
  const auto sharing_turn = turn_of(sharing, 2 * ring_steps, StagingBuffer::usual_lag);
  const auto second_turn = turn_of(second_, 2 * ring_steps, StagingBuffer::usual_lag);
  publish(sharing, 0, ring_steps);
  publish(second_, 0, 2);
  EXPECT_FALSE(can_open(sharing, ring_steps));
  publish(second_, 2, 3);  // So it has read step 0, whose slot it is.
  EXPECT_TRUE(can_open(sharing, ring_steps));
}

TEST_F(StagingBufferTest, ALaggingTurnKeepsItsSlotsLongerEvenFromTheNextOne) {
  constexpr std::uint64_t lag = StagingBuffer::most_lag;
  {
    const auto first_turn = turn_of(first_, 2 * lag, lag);
    const auto second_turn = turn_of(second_, 2 * lag, lag);
    publish(second_, 0, 2 * lag);
    publish(first_, 0, 2 * lag);
  }
  const auto next_turn = turn_of(first_, 2 * ring_steps, StagingBuffer::usual_lag);
  publish(first_, 2 * lag, ring_steps + lag - 1);
  // Rank 1 has published step 13, so it has read step 6, but perhaps not step 7, whose slot it is.
  EXPECT_FALSE(can_open(first_, ring_steps + lag));
}

TEST_F(StagingBufferTest, ARankThatNoticesAnotherCallNamesItsOwnSizeAndRoot) {
  std::array<std::byte, 40> data{};
  const auto end_of = [&](coll::Collective collective, std::size_t bytes) {
    const std::span<std::byte> buffer(data);
    const coll::Call mine(coll::Collective::broadcast, 24, std::span<const std::byte>(buffer),
                          buffer, 1);
    const coll::Call theirs(collective, bytes, std::span<const std::byte>(buffer), buffer, 1);
    const StagingBuffer::Turn first_turn(first_, 1, mine);
    const StagingBuffer::Turn second_turn(second_, 1, theirs);
    publish(second_, 0, 1);
    first_.await_line(1, 0);
  };
  EXPECT_DEATH(end_of(coll::Collective::broadcast, 40),
               "rank 0 calls broadcast of 24 bytes with root 1, but rank 1 calls it with another "
               "size or root. Remedy");
  EXPECT_DEATH(end_of(coll::Collective::allreduce, 24),
               "rank 0 calls broadcast of 24 bytes with root 1, but rank 1 calls allreduce. Rem");
}

TEST_F(StagingBufferTest, AfterALaggingTurnTheUsualLagHoldsAgain) {
  constexpr std::uint64_t lag = StagingBuffer::most_lag;
  {
    const auto first_turn = turn_of(first_, lag, lag);
    const auto second_turn = turn_of(second_, lag, lag);
    publish(second_, 0, lag);
    publish(first_, 0, lag);
  }
  const auto first_turn = turn_of(first_, 3 * ring_steps, StagingBuffer::usual_lag);
  const auto second_turn = turn_of(second_, 3 * ring_steps, StagingBuffer::usual_lag);
  for (std::uint64_t step = lag; step < 30; ++step) {
    publish(second_, step, step + 1);
    publish(first_, step, step + 1);
  }
  publish(first_, 30, 38);  // With the longer lag it would wait at step 37 for step 30.
  EXPECT_FALSE(can_open(first_, 38));
}

}  // namespace
}  // namespace tasuki::node
