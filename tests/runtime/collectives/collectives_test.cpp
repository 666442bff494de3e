#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

#include "support/rank_test.hpp"

namespace tasuki::test {
namespace {

using CollectivesTest = RankTest;

// From one element to what travels as bulk data.
constexpr std::array<std::size_t, 4> counts = {1, 33, 700, 40'000};

/// Element `index` of what `rank` contributes.
std::int64_t element(int rank, std::size_t index) {
  return (rank + 1) * 1'000'003LL + static_cast<std::int64_t>(index) * 7;
}

std::vector<std::int64_t> contribution(int rank, std::size_t count) {
  std::vector<std::int64_t> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = element(rank, i);
  return values;
}

std::span<const std::int64_t> view(const std::vector<std::int64_t>& values) { return values; }

std::size_t ranks_of(const Team& team) { return static_cast<std::size_t>(team.size()); }

/// Two-by-two matrices modulo a prime: associative, not commutative.
struct Matrix {
  std::array<std::uint64_t, 4> e{1, 0, 0, 1};
  bool operator==(const Matrix&) const = default;
};
struct MatrixProduct {
  static constexpr std::uint64_t prime = 1'000'000'007;
  Matrix operator()(const Matrix& a, const Matrix& b) const {
    Matrix c;
    for (std::size_t i = 0; i < 2; ++i) {
      for (std::size_t j = 0; j < 2; ++j) {
        c.e[2 * i + j] = (a.e[2 * i] * b.e[j] + a.e[2 * i + 1] * b.e[2 + j]) % prime;
      }
    }
    return c;
  }
};
Matrix matrix_of(int rank, std::size_t index) {
  const auto r = static_cast<std::uint64_t>(rank);
  return {{r + 2, index + 1, 3 * r + 1, r * index + 5}};
}
Matrix product_up_to(int last_rank, std::size_t index) {
  Matrix product = matrix_of(0, index);
  for (int rank = 1; rank <= last_rank; ++rank) {
    product = MatrixProduct{}(product, matrix_of(rank, index));
  }
  return product;
}

/// The world, its halves, and all ranks backwards.
std::vector<Team> teams() {
  std::vector<int> backwards(static_cast<std::size_t>(size()));
  std::iota(backwards.rbegin(), backwards.rend(), 0);
  return {world_team(), world_team().split(rank() % 2), team_of(backwards, 99)};
}

TEST_F(CollectivesTest, barrier_waits_for_the_last) {
  for (const Team& team : teams()) {
    DistObject<int> entered(0);
    for (int round = 1; round <= 30; ++round) {
      *entered = round;
      if (team.rank() == round % team.size()) yield();
      if (round % 5 == 0) {
        barrier_async(team).get();
      } else {
        barrier(team);
      }
      if (round % 10 != 0) continue;
      for (const int member : team.world_ranks()) EXPECT_GE(entered.fetch(member).get(), round);
    }
    barrier();
  }
}

TEST_F(CollectivesTest, broadcast_from_every_root) {
  for (const Team& team : teams()) {
    for (int root = 0; root < team.size(); ++root) {
      for (const std::size_t count : counts) {
        auto data = contribution(team.rank(), count);
        broadcast(std::span(data), root, team);
        EXPECT_EQ(data, contribution(root, count)) << count;
      }
      EXPECT_EQ(broadcast(team.rank() * 3, root, team), root * 3);
    }
  }
}

TEST_F(CollectivesTest, reduce_and_allreduce_sum) {
  for (const Team& team : teams()) {
    for (const std::size_t count : counts) {
      const auto input = contribution(team.rank(), count);
      std::vector<std::int64_t> expected(count);
      for (int member = 0; member < team.size(); ++member) {
        for (std::size_t i = 0; i < count; ++i) expected[i] += element(member, i);
      }
      std::vector<std::int64_t> output(count);
      allreduce(view(input), std::span(output), Sum{}, team);
      EXPECT_EQ(output, expected);
      auto in_place = input;
      allreduce(view(in_place), std::span(in_place), Sum{}, team);
      EXPECT_EQ(in_place, expected);
      const int root = team.size() - 1;
      std::vector<std::int64_t> on_root(team.rank() == root ? count : 0);
      reduce(view(input), std::span(on_root), Sum{}, root, team);
      if (team.rank() == root) {
        EXPECT_EQ(on_root, expected);
      }
    }
  }
}

TEST_F(CollectivesTest, single_values) {
  const int last = size() - 1;
  EXPECT_EQ(allreduce(rank(), Max{}), last);
  EXPECT_EQ(allreduce(rank(), Min{}), 0);
  EXPECT_EQ(allreduce(2.0, Product{}), static_cast<double>(1U << static_cast<unsigned>(size())));
  EXPECT_EQ(allreduce(rank() == 0 ? 1 : 0, LogicalAnd{}), size() == 1 ? 1 : 0);
  EXPECT_EQ(allreduce(1U << static_cast<unsigned>(rank()), BitwiseOr{}), (2U << last) - 1);
  EXPECT_EQ(allreduce(Located<double>{1.0, rank()}, MinLocation{}).location, 0);
  const int sum = reduce(rank() + 1, Sum{}, last);
  if (rank() == last) {
    EXPECT_EQ(sum, size() * (size() + 1) / 2);
  }
  EXPECT_EQ(scan(rank() + 1, Sum{}), (rank() + 1) * (rank() + 2) / 2);
  EXPECT_EQ(allgather(rank() * 2).back(), last * 2);
}

TEST_F(CollectivesTest, operators_that_do_not_commute_apply_in_rank_order) {
  for (const std::size_t count : counts) {
    std::vector<Matrix> input(count);
    for (std::size_t i = 0; i < count; ++i) input[i] = matrix_of(rank(), i);
    const std::span<const Matrix> from(input);
    std::vector<Matrix> all(count), prefix(count), before(count), on_root(count);
    allreduce(from, std::span(all), MatrixProduct{});
    reduce(from, std::span(on_root), MatrixProduct{}, size() / 2);
    scan(from, std::span(prefix), MatrixProduct{});
    exscan(from, std::span(before), MatrixProduct{});
    for (std::size_t i = 0; i < count; i += 1 + count / 10) {
      EXPECT_EQ(all[i], product_up_to(size() - 1, i));
      EXPECT_EQ(prefix[i], product_up_to(rank(), i));
      if (rank() > 0) {
        EXPECT_EQ(before[i], product_up_to(rank() - 1, i));
      }
      if (rank() == size() / 2) {
        EXPECT_EQ(on_root[i], product_up_to(size() - 1, i));
      }
    }
    EXPECT_EQ(allreduce(matrix_of(rank(), count), MatrixProduct{}),
              product_up_to(size() - 1, count));
  }
}

TEST_F(CollectivesTest, operators_may_have_state) {
  int modulus = 1009;  // Not const: a constant needs no capture, and the operator had no state.
  const auto add = [modulus](int a, int b) { return (a + b) % modulus; };
  std::vector<int> input(500), output(500);
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<int>(i) * 3 + rank();
  allreduce(std::span<const int>(input), std::span(output), add);
  for (std::size_t i = 0; i < input.size(); ++i) {
    const int expected = (size() * static_cast<int>(i) * 3 + size() * (size() - 1) / 2) % modulus;
    EXPECT_EQ(output[i], size() == 1 ? input[i] : expected);
  }
}

TEST_F(CollectivesTest, gather_scatter_and_their_roots) {
  for (const Team& team : teams()) {
    for (const std::size_t count : counts) {
      const int root = static_cast<int>(count) % team.size();
      const bool is_root = team.rank() == root;
      std::vector<std::int64_t> all(is_root ? count * ranks_of(team) : 0);
      gather(view(contribution(team.rank(), count)), std::span(all), root, team);
      for (std::size_t i = 0; i < all.size(); ++i) {
        ASSERT_EQ(all[i], element(static_cast<int>(i / count), i % count));
      }
      std::vector<std::int64_t> back(count);
      scatter(view(all), std::span(back), root, team);
      EXPECT_EQ(back, contribution(team.rank(), count));
    }
  }
}

TEST_F(CollectivesTest, allgather_and_alltoall) {
  for (const Team& team : teams()) {
    for (const std::size_t count : counts) {
      const std::size_t ranks = ranks_of(team);
      std::vector<std::int64_t> all(count * ranks);
      allgather(view(contribution(team.rank(), count)), std::span(all), team);
      for (std::size_t i = 0; i < all.size(); ++i) {
        ASSERT_EQ(all[i], element(static_cast<int>(i / count), i % count));
      }
      std::vector<std::int64_t> input(count * ranks), output(count * ranks);
      for (std::size_t i = 0; i < input.size(); ++i) input[i] = element(team.rank(), i);
      alltoall(view(input), std::span(output), team);
      const auto mine = static_cast<std::size_t>(team.rank());
      for (std::size_t i = 0; i < output.size(); ++i) {
        ASSERT_EQ(output[i], element(static_cast<int>(i / count), mine * count + i % count));
      }
    }
  }
}

/// Blocks of rank + 1 elements times `unit` (none on rank 1), with gaps of two.
Blocks uneven_blocks(int ranks, std::size_t unit) {
  Blocks blocks;
  std::size_t at = 1;
  for (int rank = 0; rank < ranks; ++rank) {
    const std::size_t count = rank == 1 ? 0 : (static_cast<std::size_t>(rank) + 1) * unit;
    blocks.counts.push_back(count);
    blocks.displacements.push_back(at);
    at += count + 2;
  }
  return blocks;
}
std::size_t end_of(const Blocks& blocks) {
  return blocks.displacements.back() + blocks.counts.back() + 1;
}

void expect_blocks(const std::vector<std::int64_t>& found, const Blocks& blocks) {
  std::vector<std::int64_t> expected(found.size(), -1);
  for (std::size_t rank = 0; rank < blocks.counts.size(); ++rank) {
    for (std::size_t i = 0; i < blocks.counts[rank]; ++i) {
      expected[blocks.displacements[rank] + i] = element(static_cast<int>(rank), i);
    }
  }
  EXPECT_EQ(found, expected);
}

TEST_F(CollectivesTest, blocks_of_different_sizes_with_gaps) {
  for (const std::size_t unit : {1UL, 5'000UL}) {
    const Blocks blocks = uneven_blocks(size(), unit);
    const auto mine = contribution(rank(), blocks.counts[static_cast<std::size_t>(rank())]);
    const int root = size() - 1;
    std::vector<std::int64_t> all(rank() == root ? end_of(blocks) : 0, -1);
    gatherv(view(mine), std::span(all), rank() == root ? blocks : Blocks{}, root);
    if (rank() == root) expect_blocks(all, blocks);
    std::vector<std::int64_t> back(mine.size());
    scatterv(view(all), rank() == root ? blocks : Blocks{}, std::span(back), root);
    EXPECT_EQ(back, mine);
    std::vector<std::int64_t> everywhere(end_of(blocks), -1);
    allgatherv(view(mine), std::span(everywhere), blocks);
    expect_blocks(everywhere, blocks);
  }
}

TEST_F(CollectivesTest, alltoallv_with_uneven_and_empty_blocks) {
  // Rank i sends (i + 2 j) % 5 blocks of `unit` elements to rank j.
  for (const std::size_t unit : {1UL, 3'000UL}) {
    const auto sent_count = [&](int from, int to) {
      return static_cast<std::size_t>((from + 2 * to) % 5) * unit;
    };
    Blocks sent, received;
    std::vector<std::int64_t> input;
    std::size_t received_count = 0;
    for (int other = 0; other < size(); ++other) {
      sent.counts.push_back(sent_count(rank(), other));
      received.counts.push_back(sent_count(other, rank()));
      received_count += received.counts.back();
      for (std::size_t i = 0; i < sent.counts.back(); ++i) {
        input.push_back(element(rank() * 100 + other, i));
      }
    }
    std::vector<std::int64_t> output(received_count), expected;
    alltoallv(view(input), sent, std::span(output), received);
    for (int other = 0; other < size(); ++other) {
      for (std::size_t i = 0; i < sent_count(other, rank()); ++i) {
        expected.push_back(element(other * 100 + rank(), i));
      }
    }
    EXPECT_EQ(output, expected);
  }
}

TEST_F(CollectivesTest, reduce_scatter_gives_each_rank_its_block) {
  for (const std::size_t count : counts) {
    const auto ranks = static_cast<std::size_t>(size());
    const auto input = contribution(rank(), count * ranks);
    std::vector<std::int64_t> output(count);
    reduce_scatter(view(input), std::span(output), Sum{});
    for (std::size_t i = 0; i < count; ++i) {
      std::int64_t expected = 0;
      const std::size_t at = static_cast<std::size_t>(rank()) * count + i;
      for (int member = 0; member < size(); ++member) expected += element(member, at);
      ASSERT_EQ(output[i], expected);
    }
  }
}

TEST_F(CollectivesTest, reduce_scatter_with_blocks_of_different_sizes) {
  for (const std::size_t unit : {1UL, 5'000UL}) {
    const std::vector<std::size_t> block_counts = uneven_blocks(size(), unit).counts;
    const auto own = static_cast<std::size_t>(rank());
    const auto begin = std::accumulate(block_counts.begin(), block_counts.begin() + rank(), 0UL);
    const auto total = std::accumulate(block_counts.begin(), block_counts.end(), 0UL);
    const auto input = contribution(rank(), total);
    std::vector<std::int64_t> output(block_counts[own]), later(output.size()),
        expected(output.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      for (int member = 0; member < size(); ++member) expected[i] += element(member, begin + i);
    }
    reduce_scatter(view(input), std::span(output), block_counts, Sum{});
    EXPECT_EQ(output, expected);
    reduce_scatter_async(view(input), std::span(later), block_counts, Sum{}).get();
    EXPECT_EQ(later, expected);
  }
}

TEST_F(CollectivesTest, several_in_flight_complete_in_any_order) {
  constexpr std::size_t operations_count = 24;
  std::vector<std::vector<std::int64_t>> inputs, outputs;
  std::vector<Future<void>> all;
  for (std::size_t i = 0; i < operations_count; ++i) {
    inputs.push_back(contribution(rank() + static_cast<int>(i), counts[i % counts.size()]));
    outputs.emplace_back(inputs.back().size());
  }
  for (std::size_t i = 0; i < operations_count; ++i) {
    all.push_back(allreduce_async(view(inputs[i]), std::span(outputs[i]), Max{}));
    if (i % 7 == 3) all.push_back(barrier_async());
    if (i % 5 == 2) yield();
  }
  while (!all.empty()) {
    all.back().get();
    all.pop_back();
  }
  for (std::size_t i = 0; i < operations_count; ++i) {
    EXPECT_EQ(outputs[i], contribution(size() - 1 + static_cast<int>(i), inputs[i].size()));
  }
}

TEST_F(CollectivesTest, calls_go_on_while_collectives_wait) {
  // Rank 0 comes last; meanwhile the others, waiting, answer its calls.
  if (rank() == 0) {
    for (int i = 0; i < 200; ++i) {
      EXPECT_EQ(invoke(
                    i % size(), [](int x) { return x * 2; }, i),
                2 * i);
    }
  }
  barrier();
  if (rank() == 0) {
    for (int i = 0; i < 200; ++i) {
      EXPECT_EQ(invoke(
                    i % size(), [](int x) { return x * 2; }, i),
                2 * i);
    }
  }
  EXPECT_EQ(allreduce(1, Sum{}), size());
}

TEST_F(CollectivesTest, a_barrier_makes_earlier_writes_visible) {
  std::vector<int> own(static_cast<std::size_t>(size()), -1);
  const auto all = allgather(global_ptr(own.data()));
  for (int round = 0; round < 50; ++round) {
    for (int target = 0; target < size(); ++target) {
      (all[static_cast<std::size_t>(target)] + rank()).write(round);
    }
    barrier();
    EXPECT_EQ(own, std::vector<int>(own.size(), round));
    barrier();
  }
}

TEST_F(CollectivesTest, an_order_of_many_kinds) {
  for (int round = 0; round < 100; ++round) {
    const int root = round % size();
    EXPECT_EQ(allreduce(round + rank(), Min{}), round);
    EXPECT_EQ(broadcast(rank() + round, root), root + round);
    if (round % 3 == 0) barrier();
    EXPECT_EQ(scan(1, Sum{}), rank() + 1);
    EXPECT_EQ(allreduce(1, Sum{}), size());
  }
}

TEST_F(CollectivesTest, empty_vectors) {
  std::vector<std::int64_t> none;
  broadcast(std::span(none), 0);
  allreduce(view(none), std::span(none), Sum{});
  allgather(view(none), std::span(none));
  gather(view(none), std::span(none), 0);
  alltoall(view(none), std::span(none));
}

TEST_F(CollectivesTest, wrong_sizes_and_roots_are_errors) {
  std::vector<std::int64_t> three(3), two(2);
  EXPECT_TRUE(contains(error_of([&] { allreduce(view(three), std::span(two), Sum{}); }),
                       "the buffers hold 3 and 2 elements"));
  EXPECT_TRUE(contains(error_of([&] { broadcast(std::span(three), size()); }), "root"));
  EXPECT_TRUE(contains(error_of([&] { broadcast(std::span(three), -1); }), "root"));
  const Blocks too_few{std::vector<std::size_t>(static_cast<std::size_t>(size()) - 1, 1), {}};
  const std::string text = error_of([&] { allgatherv(view(three), std::span(two), too_few); });
  EXPECT_TRUE(contains(text, "allgatherv")) << text;
  if (size() > 1) {
    const auto ranks = static_cast<std::size_t>(size());
    const std::vector<std::int64_t> odd(2 * ranks + 1);
    std::vector<std::int64_t> output(2 * ranks + 1);
    EXPECT_TRUE(contains(error_of([&] { alltoall(view(odd), std::span(output)); }),
                         "is not one block for each"));
  }
  EXPECT_EQ(allreduce(1, Sum{}), size());  // and all goes on
}

// While it waits for the barrier it polls, and finds that the reduction is complete. (Where that is
// complete already, `then` runs the continuation at once, on the fiber that calls it.)
TEST_F(CollectivesTest, a_continuation_may_wait_for_what_follows_a_blocking_collective) {
  for (int round = 0; round < 20; ++round) {
    Sync<int> go;
    const std::int64_t own = rank();
    std::int64_t sum = 0;
    auto reduced = allreduce_async(std::span(&own, 1), std::span<std::int64_t>(&sum, 1), Sum{});
    if (reduced.ready()) {
      barrier();
      continue;
    }
    auto done = reduced.then([&] { return go.read(); });
    barrier();
    go.write(round);
    EXPECT_EQ(done.get(), round);
    EXPECT_EQ(sum, size() * (size() - 1) / 2);
  }
}

// As many as are in flight at once wait for their other end by name.
TEST_F(CollectivesTest, thousands_are_in_flight_at_once) {
  constexpr std::size_t count = 3000;
  const std::vector<std::int64_t> ones(count, 1);
  std::vector<std::int64_t> sums(count);
  std::vector<Future<void>> under_way;
  for (std::size_t i = 0; i < count; ++i) {
    under_way.push_back(
        allreduce_async(view(ones).subspan(i, 1), std::span(sums).subspan(i, 1), Sum{}));
  }
  for (auto& one : under_way) one.get();
  EXPECT_EQ(sums, std::vector<std::int64_t>(count, size()));
}

}  // namespace
}  // namespace tasuki::test
