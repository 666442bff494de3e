// Every algorithm of the registry, carried out by the runtime over each transport, because a policy
// says so.
#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <tasuki/detail/coll/registry.hpp>
#include <tasuki/detail/runtime/calls/rank.hpp>
#include <tasuki/policy.hpp>
#include <thread>
#include <vector>

#include "runtime/collectives/rank_collectives.hpp"
#include "support/always.hpp"
#include "support/rank_test.hpp"

namespace tasuki::test {
namespace {

using coll::Collective;
using PolicyTest = RankTest;

std::int64_t element(int from, std::size_t index) {
  return from * 1'000'003LL + static_cast<std::int64_t>(index);
}

/// One call with what all ranks have in the end; `count` elements each.
std::vector<std::int64_t> outcome_of(Collective collective, std::size_t count) {
  const auto ranks = static_cast<std::size_t>(size());
  const int root = size() / 2;
  std::vector<std::int64_t> input(count * ranks);
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = element(rank(), i);
  std::vector<std::size_t> counts(ranks);
  for (std::size_t i = 0; i < ranks; ++i) counts[i] = i % 3 == 1 ? 0 : count;
  const std::size_t own = counts[static_cast<std::size_t>(rank())];
  std::vector<std::int64_t> output(count * ranks);
  const std::span<std::int64_t> all(output);
  const std::span<const std::int64_t> blocks(input);
  const auto block = blocks.first(count);
  switch (collective) {
    case Collective::barrier:
      barrier();
      break;
    case Collective::broadcast:
      std::copy(input.begin(), input.end(), output.begin());
      broadcast(all.first(count), root);
      break;
    case Collective::reduce:
      reduce(block, all.first(count), Sum{}, root);
      break;
    case Collective::allreduce:
      allreduce(block, all.first(count), Sum{});
      break;
    case Collective::gather:
      gather(block, all, root);
      break;
    case Collective::gatherv:
      gatherv(blocks.first(own), all, Blocks{counts}, root);
      break;
    case Collective::scatter:
      scatter(blocks, all.first(count), root);
      break;
    case Collective::scatterv:
      scatterv(blocks, Blocks{counts}, all.first(own), root);
      break;
    case Collective::allgather:
      allgather(block, all);
      break;
    case Collective::allgatherv:
      allgatherv(blocks.first(own), all, Blocks{counts});
      break;
    case Collective::alltoall:
      alltoall(blocks, all);
      break;
    case Collective::alltoallv:
      alltoallv(blocks, Blocks{std::vector<std::size_t>(ranks, own)}, all, Blocks{counts});
      break;
    case Collective::reduce_scatter_block:
    case Collective::reduce_scatter:
      reduce_scatter(blocks, all.first(count), Sum{});
      break;
    case Collective::scan:
      scan(block, all.first(count), Sum{});
      break;
    case Collective::exscan:
      exscan(block, all.first(count), Sum{});
      break;
  }
  return output;
}

TEST_F(PolicyTest, collectives_that_ask_first_may_be_in_flight_together) {
  const coll::Policy before = policy();
  set_policy(always(coll::algorithm_named(Collective::alltoallv, "two_phase_bruck")));
  const auto ranks = static_cast<std::size_t>(size());
  const auto sent_count = [](int from, int to, std::size_t turn) {
    return static_cast<std::size_t>(from * 3 + to) % 4 * (turn % 2 == 0 ? 1 : 2'000);
  };
  constexpr std::size_t turns_count = 6;
  std::vector<std::vector<std::int64_t>> inputs(turns_count), outputs(turns_count);
  std::vector<int> sums(turns_count, rank());
  std::vector<Future<void>> underway;
  for (std::size_t turn = 0; turn < turns_count; ++turn) {
    Blocks sent, received;
    std::size_t received_count = 0;
    for (int other = 0; other < size(); ++other) {
      sent.counts.push_back(sent_count(rank(), other, turn));
      received.counts.push_back(sent_count(other, rank(), turn));
      received_count += received.counts.back();
      for (std::size_t i = 0; i < sent.counts.back(); ++i) {
        inputs[turn].push_back(element(rank() * 100 + other, i + turn));
      }
    }
    outputs[turn].resize(received_count);
    underway.push_back(alltoallv_async(std::span<const std::int64_t>(inputs[turn]), sent,
                                       std::span(outputs[turn]), received));
    // Its number lies between those of two collectives that each take two.
    underway.push_back(allreduce_async(std::span<const int>(&sums[turn], 1),
                                       std::span<int>(&sums[turn], 1), Sum{}));
  }
  for (Future<void>& one : underway) one.get();
  for (std::size_t turn = 0; turn < turns_count; ++turn) {
    std::vector<std::int64_t> expected;
    for (int other = 0; other < size(); ++other) {
      for (std::size_t i = 0; i < sent_count(other, rank(), turn); ++i) {
        expected.push_back(element(other * 100 + rank(), i + turn));
      }
    }
    EXPECT_EQ(outputs[turn], expected) << turn;
    EXPECT_EQ(sums[turn], static_cast<int>(ranks * (ranks - 1) / 2));
  }
  set_policy(before);
}

TEST_F(PolicyTest, counts_that_do_not_fit_are_an_error_of_the_program) {
  if (size() == 1) GTEST_SKIP() << "its self block is checked by the call";
  const coll::Policy before = policy();
  set_policy(always(coll::algorithm_named(Collective::alltoallv, "two_phase_bruck")));
  const auto ranks = static_cast<std::size_t>(size());
  const std::vector<int> input(3 * ranks);
  std::vector<int> output(4 * ranks);
  Blocks received{std::vector<std::size_t>(ranks, 3)};
  const int source = (rank() + size() - 1) % size();
  received.counts[static_cast<std::size_t>(source)] = 4;
  try {
    alltoallv(std::span(input), Blocks{std::vector<std::size_t>(ranks, 3)}, std::span(output),
              received);
    ADD_FAILURE() << "nothing is thrown";
  } catch (const error& failure) {
    const std::string expected = fmt::format(
        "alltoallv: rank {} sends 3 elements to rank {}, which expects 4", source, rank());
    EXPECT_NE(std::string(failure.what()).find(expected), std::string::npos) << failure.what();
    EXPECT_NE(std::string(failure.what()).find("Remedy: let each rank receive"), std::string::npos);
  }
  set_policy(before);
}

TEST_F(PolicyTest, no_collective_keeps_much_memory) {
  if (is_loopback()) GTEST_SKIP() << "all ranks allocate in one process";
  const coll::Policy before = policy();
  set_policy(always(coll::algorithm_named(Collective::allreduce, "linear")));
  constexpr std::size_t bytes = std::size_t{8} << 20;
  std::vector<double> values(bytes / sizeof(double), 1.0);
  const auto used_bytes = [] {
    const auto info = ::mallinfo2();
    return info.uordblks + info.hblkhd;
  };
  const std::size_t used_before = used_bytes();
  allreduce(std::span<const double>(values), std::span(values), Sum{});
  barrier();
  EXPECT_LT(used_bytes(), used_before + bytes / 2);
  set_policy(before);
}

TEST_F(PolicyTest, every_algorithm_gives_the_same_results) {
  const coll::Policy before = policy();
  for (const Collective collective : coll::all_collectives()) {
    for (const std::size_t count : {std::size_t{1}, std::size_t{3}, std::size_t{500}}) {
      set_policy(before);
      const auto expected = outcome_of(collective, count);
      for (const auto* algorithm : coll::algorithms_of(collective)) {
        SCOPED_TRACE(fmt::format("{} {} of {}", coll::name_of(collective), algorithm->name, count));
        set_policy(always(*algorithm));
        EXPECT_EQ(outcome_of(collective, count), expected);
      }
    }
  }
  set_policy(before);
}

/// Futures of so many sizes that no schedule stays remembered which nobody carries out.
class ManySizes {
 public:
  void start() {
    for (std::size_t count = 2; count < 2 + buffers_.size(); ++count) {
      auto& buffer = buffers_[count - 2];
      buffer.assign(count, 1);
      const std::span<int> all(buffer);
      futures_.push_back(allreduce_async(std::span<const int>(all), all, Sum{}));
    }
  }
  void finish() {
    while (futures_.size() < buffers_.size()) yield();  // The other fiber may not have begun.
    for (Future<void>& future : futures_) future.get();
    for (const auto& buffer : buffers_) EXPECT_EQ(buffer.back(), size());
  }

 private:
  std::array<std::vector<int>, 40> buffers_;
  std::vector<Future<void>> futures_;
};

TEST_F(PolicyTest, a_schedule_under_way_is_not_forgotten) {
  const coll::Policy before = policy();
  set_policy(always(coll::algorithm_named(Collective::allreduce, "linear")));
  barrier();
  ManySizes many;
  const bool has_another_fiber = rank() == 0 && size() > 1;
  if (has_another_fiber) {
    // Runs as soon as this fiber waits for the other ranks, which it does unless they were faster.
    runtime::Rank::current().waits.scheduler().spawn(
        [](void* sizes) { static_cast<ManySizes*>(sizes)->start(); }, &many);
  } else {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  int one = 1;
  const std::span<int> all(&one, 1);
  allreduce(std::span<const int>(all), all, Sum{});
  EXPECT_EQ(one, size());
  if (!has_another_fiber) many.start();
  many.finish();
  set_policy(before);
}

TEST_F(PolicyTest, a_new_policy_replaces_what_the_old_one_chose) {
  const coll::Policy before = policy();
  const auto& ring = coll::algorithm_named(Collective::allreduce, "ring");
  EXPECT_EQ(allreduce(1, Sum{}), size());
  set_policy(always(ring));
  coll::Shape shape;
  shape.ranks = size();
  shape.commutative = true;
  EXPECT_EQ(policy().select(Collective::allreduce, shape).algorithm, &ring);
  EXPECT_EQ(allreduce(2, Sum{}), 2 * size());
  set_policy(before);
  EXPECT_EQ(allreduce(3, Sum{}), 3 * size());
}

}  // namespace
}  // namespace tasuki::test
