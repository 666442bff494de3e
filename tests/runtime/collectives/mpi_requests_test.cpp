// Requests under way in the MPI library: which a poll tests, and how often.
#include "runtime/collectives/mpi_requests.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <span>
#include <tasuki/detail/transport/mpi_operations.hpp>
#include <vector>

#include "support/rank_test.hpp"

namespace tasuki::test {
namespace {

using runtime::MpiRequests;
using transport::MpiRequest;

using MpiRequestsTest = RankTest;

constexpr std::size_t many = 30'000;

/// A library whose requests are complete when the test says so; it counts the tests of them.
class FakeMpi final : public transport::MpiOperations {
 public:
  bool reaches(int) const noexcept override { return true; }
  std::size_t message_most_bytes() const noexcept override { return 1; }
  bool send(int, std::uint32_t, std::span<const std::byte>, bool, MpiRequest&) override {
    return true;
  }
  void receive(int, std::uint32_t, std::span<std::byte>, MpiRequest&) override {}
  void start(const transport::MpiCollective&, MpiRequest&) override {}
  bool yields() const noexcept override { return true; }

  transport::MpiTestResult test_any(std::span<MpiRequest> requests) override {
    ++polls_count;
    tested_count += requests.size();
    for (std::size_t i = 0; i < requests.size(); ++i) {
      if (is_complete[requests[i].word]) return {static_cast<int>(i), false, 0};
    }
    return {};
  }

  std::vector<bool> is_complete = std::vector<bool>(many);
  std::size_t polls_count = 0;
  std::size_t tested_count = 0;
};

struct Counting : transport::Completion {
  Counting() {
    done = [](transport::Completion* self) { ++static_cast<Counting*>(self)->count; };
  }
  std::size_t count = 0;
};

struct Many {
  Many() {
    for (std::size_t i = 0; i < many; ++i) requests.add_send({i}, &told, 0, 0, 0);
  }
  FakeMpi mpi;
  MpiRequests requests{&mpi, runtime::Rank::current().waits.scheduler(), false};
  Counting told;
};

TEST_F(MpiRequestsTest, a_poll_takes_no_longer_with_many) {
  Many made;
  EXPECT_FALSE(made.requests.progress());
  EXPECT_LE(made.mpi.polls_count, 2U);
  EXPECT_LE(made.mpi.tested_count, 2 * transport::MpiOperations::tested_most);
}

TEST_F(MpiRequestsTest, all_that_are_complete_are_told_in_as_many_polls) {
  Many made;
  made.mpi.is_complete.assign(many, true);
  EXPECT_TRUE(made.requests.progress());
  EXPECT_TRUE(made.requests.empty());
  EXPECT_EQ(made.told.count, many);
  EXPECT_EQ(made.mpi.polls_count, many);
}

TEST_F(MpiRequestsTest, what_comes_in_order_is_seen_at_once) {
  Many made;
  for (std::size_t i = 0; i < many; ++i) {
    EXPECT_FALSE(made.requests.progress());
    made.mpi.is_complete[i] = true;
    EXPECT_TRUE(made.requests.progress());
    ASSERT_EQ(made.told.count, i + 1);
  }
  EXPECT_TRUE(made.requests.empty());
  // One that finds it, and two in vain before and after it.
  EXPECT_LE(made.mpi.polls_count, 5 * many);
}

TEST_F(MpiRequestsTest, what_comes_in_any_order_is_seen_after_one_turn_of_all) {
  Many made;
  constexpr std::size_t turn = many / transport::MpiOperations::tested_most + 1;
  std::vector<std::size_t> order(many);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(7));
  for (std::size_t i = 0; i < 200; ++i) {
    made.mpi.is_complete[order[i]] = true;
    std::size_t tries = 0;
    while (!made.requests.progress()) ASSERT_LE(++tries, turn);
    ASSERT_EQ(made.told.count, i + 1);
  }
  made.mpi.is_complete.assign(many, true);
  EXPECT_TRUE(made.requests.progress());
  EXPECT_TRUE(made.requests.empty());
  EXPECT_EQ(made.told.count, many);
}

TEST_F(MpiRequestsTest, few_are_tested_together) {
  FakeMpi mpi;
  MpiRequests requests(&mpi, runtime::Rank::current().waits.scheduler(), false);
  Counting told;
  for (std::size_t i = 0; i < 100; ++i) {
    mpi.is_complete.assign(many, false);
    requests.add_send({1}, &told, 0, 0, 0);
    requests.add_send({2}, &told, 0, 0, 0);
    EXPECT_FALSE(requests.progress());
    mpi.is_complete.assign(many, true);
    EXPECT_TRUE(requests.progress());
    EXPECT_TRUE(requests.empty());
  }
  EXPECT_EQ(told.count, 200U);
  EXPECT_EQ(mpi.polls_count, 300U);
}

TEST_F(MpiRequestsTest, a_fiber_that_waits_tells_its_own_only) {
  FakeMpi mpi;
  MpiRequests requests(&mpi, runtime::Rank::current().waits.scheduler(), false);
  Counting own;
  Counting of_others;
  requests.add_send({1}, &of_others, 0, 0, 0);
  requests.add_send({2}, &own, 0, 0, 0);
  requests.add_send({3}, &of_others, 0, 0, 0);
  EXPECT_FALSE(requests.progress_for(own));
  mpi.is_complete.assign(many, true);
  EXPECT_TRUE(requests.progress_for(own));
  EXPECT_EQ(own.count, 1U);
  EXPECT_EQ(of_others.count, 0U);
  EXPECT_TRUE(requests.has_untold());
  EXPECT_FALSE(requests.empty());
  EXPECT_TRUE(requests.progress());
  EXPECT_EQ(of_others.count, 2U);
  EXPECT_TRUE(requests.empty());
}

struct Yielding : transport::Completion {
  Yielding() {
    done = [](transport::Completion* self) {
      ++static_cast<Yielding*>(self)->count;
      yield();
    };
  }
  std::size_t count = 0;
};

TEST_F(MpiRequestsTest, nobody_is_told_on_a_fiber_that_has_waited) {
  FakeMpi mpi;
  MpiRequests requests(&mpi, runtime::Rank::current().waits.scheduler(), false);
  Yielding told;
  for (std::uint64_t i = 0; i < 3; ++i) requests.add_send({i}, &told, 0, 0, 0);
  mpi.is_complete.assign(many, true);
  for (std::size_t i = 1; i <= 3; ++i) {
    EXPECT_TRUE(requests.progress());
    EXPECT_EQ(told.count, i);
  }
  EXPECT_TRUE(requests.empty());
}

}  // namespace
}  // namespace tasuki::test
