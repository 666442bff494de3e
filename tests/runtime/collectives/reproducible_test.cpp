// Reproducible reductions: over each transport, with every algorithm that may be chosen, the bits
// are those of a loop over the ranks.
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <tasuki/detail/coll/registry.hpp>
#include <tasuki/policy.hpp>
#include <vector>

#include "common/mixed.hpp"
#include "support/always.hpp"
#include "support/rank_test.hpp"

namespace tasuki::test {
namespace {

using coll::Collective;

using ReproducibleTest = RankTest;

/// Reductions are reproducible, and the policy may be set, as long as it lives.
struct Reproducibly {
  Reproducibly() { set_reproducible(true); }
  ~Reproducibly() {
    set_policy(coll::default_policy());
    set_reproducible(false);
  }
};

/// What a rank puts in at an index: of any sign, over 60 powers of two, so that a sum has different
/// bits in almost every other order.
double operand(std::uint64_t seed, int of, std::size_t index) {
  const std::uint64_t random =
      apps::mixed(apps::mixed(seed * 1000 + static_cast<unsigned>(of)) + index);
  return std::ldexp(static_cast<double>(random >> 11) - 0x1p52, static_cast<int>(random % 60) - 80);
}

std::vector<double> operands(std::uint64_t seed, std::size_t count) {
  std::vector<double> all(count);
  for (std::size_t i = 0; i < count; ++i) all[i] = operand(seed, rank(), i);
  return all;
}

/// What a loop over the first `ranks_count` ranks makes of the element.
double looped(std::uint64_t seed, int ranks_count, std::size_t index) {
  double sum = operand(seed, 0, index);
  for (int of = 1; of < ranks_count; ++of) sum += operand(seed, of, index);
  return sum;
}

void expect_loop(std::uint64_t seed, int ranks_count, std::size_t first,
                 std::span<const double> result, const std::string& what) {
  for (std::size_t i = 0; i < result.size(); ++i) {
    ASSERT_EQ(std::bit_cast<std::uint64_t>(result[i]),
              std::bit_cast<std::uint64_t>(looped(seed, ranks_count, first + i)))
        << what << ", element " << i << " of " << result.size();
  }
}

/// One blocking and one nonblocking call. `count` elements on each rank in the result.
void check_reduction(Collective collective, std::size_t count, std::uint64_t seed,
                     const std::string& what) {
  const auto me = static_cast<std::size_t>(rank());
  const bool in_blocks = collective == Collective::reduce_scatter_block;
  const int root = static_cast<int>(seed) % size();
  const auto all = operands(seed, in_blocks ? count * static_cast<std::size_t>(size()) : count);
  const std::span<const double> input(all);
  for (const bool blocking : {true, false}) {
    std::vector<double> result(count, 0.5);
    const std::span<double> output(result);
    const auto finish = [&](auto call, auto call_async) {
      if (blocking) {
        call();
      } else {
        call_async().get();
      }
    };
    switch (collective) {
      case Collective::reduce:
        finish([&] { reduce(input, output, Sum{}, root); },
               [&] { return reduce_async(input, output, Sum{}, root); });
        if (rank() == root) expect_loop(seed, size(), 0, result, what);
        break;
      case Collective::allreduce:
        finish([&] { allreduce(input, output, Sum{}); },
               [&] { return allreduce_async(input, output, Sum{}); });
        expect_loop(seed, size(), 0, result, what);
        break;
      case Collective::reduce_scatter_block:
        finish([&] { reduce_scatter(input, output, Sum{}); },
               [&] { return reduce_scatter_async(input, output, Sum{}); });
        expect_loop(seed, size(), me * count, result, what);
        break;
      case Collective::scan:
        finish([&] { scan(input, output, Sum{}); },
               [&] { return scan_async(input, output, Sum{}); });
        expect_loop(seed, rank() + 1, 0, result, what);
        break;
      case Collective::exscan:
        finish([&] { exscan(input, output, Sum{}); },
               [&] { return exscan_async(input, output, Sum{}); });
        if (rank() != 0) expect_loop(seed, rank(), 0, result, what);
        break;
      default:
        FAIL() << what;
    }
  }
}

constexpr Collective reductions[] = {Collective::reduce, Collective::allreduce,
                                     Collective::reduce_scatter_block, Collective::scan,
                                     Collective::exscan};

TEST_F(ReproducibleTest, bits_are_those_of_a_loop_over_the_ranks) {
  const Reproducibly mode;
  // Around the sizes at which the built-in policy chooses otherwise.
  const std::size_t counts[] = {1, 2, 7, 255, 256, 257, 1023, 1025, 2049, 8193, 16385};
  std::uint64_t seed = 1;
  for (const Collective collective : reductions) {
    for (const std::size_t count : counts) {
      ++seed;
      check_reduction(collective, count, seed, coll::name_of(collective));
      if (HasFatalFailure()) return;
    }
  }
}

TEST_F(ReproducibleTest, bits_do_not_depend_on_the_algorithm) {
  const Reproducibly mode;
  std::uint64_t seed = 100;
  for (const Collective collective : reductions) {
    for (const coll::AlgorithmDescriptor* algorithm : coll::algorithms_of(collective)) {
      set_policy(always(*algorithm));
      for (const std::size_t count : {std::size_t{5}, std::size_t{3001}}) {
        ++seed;
        check_reduction(collective, count, seed,
                        std::string(coll::name_of(collective)) + " " + algorithm->name);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST_F(ReproducibleTest, blocks_of_different_sizes) {
  const Reproducibly mode;
  std::vector<std::size_t> counts;
  for (int of = 0; of < size(); ++of) counts.push_back(static_cast<std::size_t>(of * 37 % 50));
  const auto mine = counts.begin() + rank();
  const std::size_t first = std::accumulate(counts.begin(), mine, std::size_t{0});
  std::uint64_t seed = 300;
  for (const auto* algorithm : coll::algorithms_of(Collective::reduce_scatter)) {
    set_policy(always(*algorithm));
    ++seed;
    const auto all = operands(seed, std::accumulate(counts.begin(), counts.end(), std::size_t{0}));
    std::vector<double> result(*mine);
    auto call = runtime::describe_reduction<double>(Collective::reduce_scatter, 0, std::span(all),
                                                    std::span(result), Sum{});
    call.shape.receive_counts = counts;
    runtime::run_collective(world_team(), std::move(call));
    expect_loop(seed, size(), first, result, algorithm->name);
    if (HasFatalFailure()) return;
  }
}

TEST_F(ReproducibleTest, single_values_and_teams_too) {
  const Reproducibly mode;
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    const double sum = allreduce(operand(seed, rank(), 0), Sum{});
    expect_loop(seed, size(), 0, {&sum, 1}, "one value");
  }
  const Team all = world_team().split(0, -rank());  // In the opposite order.
  double expected = operand(7, size() - 1, 0);
  for (int of = size() - 2; of >= 0; --of) expected += operand(7, of, 0);
  const double sum = allreduce(operand(7, rank(), 0), Sum{}, all);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(sum), std::bit_cast<std::uint64_t>(expected));
}

TEST_F(ReproducibleTest, is_as_it_was_set) {
  EXPECT_FALSE(is_reproducible());
  {
    const Reproducibly mode;
    EXPECT_TRUE(is_reproducible());
  }
  EXPECT_FALSE(is_reproducible());
}

}  // namespace
}  // namespace tasuki::test
