// Collectives of the MPI library ("native"), where the transport has such.
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <tasuki/detail/coll/registry.hpp>
#include <tasuki/policy.hpp>
#include <vector>

#include "runtime/collectives/rank_collectives.hpp"
#include "support/rank_test.hpp"

namespace tasuki::test {
namespace {

using coll::Collective;

using MpiCollectivesTest = RankTest;

constexpr const char* no_mpi_library = "the transport has no library with collectives";

/// While it lives, "native" does all that it can.
class AllNative {
 public:
  AllNative() {
    std::vector<coll::PolicyRow> rows;
    for (const auto* algorithm : coll::algorithms_on(coll::Medium::mpi_library)) {
      rows.push_back(
          {algorithm->collective, coll::any_ranks, coll::any_bytes, algorithm->name, "", "test"});
    }
    set_policy(coll::before_default_policy(std::move(rows)));
  }
  ~AllNative() { set_policy(before_); }
  AllNative(const AllNative&) = delete;
  AllNative& operator=(const AllNative&) = delete;

 private:
  coll::Policy before_ = policy();
};

template <class T, class Op>
void expect_allreduce(Op op) {
  const auto value_of = [](int rank, std::size_t i) {
    return static_cast<T>((static_cast<std::size_t>(rank) * 3 + i) % 5);
  };
  std::vector<T> data(7);
  std::vector<T> expected(7);
  for (std::size_t i = 0; i < data.size(); ++i) {
    data[i] = value_of(rank(), i);
    expected[i] = value_of(0, i);
    for (int from = 1; from < size(); ++from) {
      expected[i] = static_cast<T>(op(expected[i], value_of(from, i)));
    }
  }
  std::vector<T> output(data.size());
  allreduce(std::span<const T>(data), std::span<T>(output), op);
  EXPECT_EQ(output, expected);
  allreduce(std::span<const T>(data), std::span<T>(data), op);
  EXPECT_EQ(data, expected) << "in place";
}

template <class T>
void expect_extremes() {
  constexpr T least = std::numeric_limits<T>::lowest();
  constexpr T greatest = std::numeric_limits<T>::max();
  const T own = rank() == 0 ? greatest : least;
  EXPECT_EQ(allreduce(own, Min{}), size() == 1 ? greatest : least);
  EXPECT_EQ(allreduce(own, Max{}), greatest);
  T found = own;
  allreduce_async(std::span<const T>(&found, 1), std::span(&found, 1), Max{}).get();
  EXPECT_EQ(found, greatest);
}

TEST_F(MpiCollectivesTest, the_least_and_the_greatest_are_found) {
  if (!media().mpi_library) GTEST_SKIP() << no_mpi_library;
  const AllNative forced;
  expect_extremes<std::int8_t>();
  expect_extremes<std::uint8_t>();
  expect_extremes<std::int16_t>();
  expect_extremes<std::uint16_t>();
  expect_extremes<std::int32_t>();
  expect_extremes<std::uint32_t>();
  expect_extremes<std::int64_t>();
  expect_extremes<std::uint64_t>();
  expect_extremes<float>();
  expect_extremes<double>();
}

TEST_F(MpiCollectivesTest, operators_and_types_mean_the_same_there) {
  if (!media().mpi_library) GTEST_SKIP() << no_mpi_library;
  const AllNative forced;
  expect_allreduce<double>(Sum{});
  expect_allreduce<float>(Product{});
  expect_allreduce<std::int8_t>(Min{});
  expect_allreduce<std::uint8_t>(Max{});
  expect_allreduce<std::int16_t>(BitwiseAnd{});
  expect_allreduce<std::uint16_t>(BitwiseOr{});
  expect_allreduce<std::int32_t>(BitwiseXor{});
  expect_allreduce<std::uint32_t>(LogicalAnd{});
  expect_allreduce<std::int64_t>(LogicalOr{});
  expect_allreduce<std::uint64_t>(LogicalXor{});
  expect_allreduce<long long>(std::plus<>{});
  expect_allreduce<char>(Max{});
}

TEST_F(MpiCollectivesTest, operators_that_it_does_not_know_are_carried_otherwise) {
  if (!media().mpi_library) GTEST_SKIP() << no_mpi_library;
  const AllNative forced;
  coll::Shape shape;
  shape.ranks = size();
  shape.count = 1;
  shape.element_bytes = sizeof(int);
  shape.commutative = true;
  shape.arithmetic = coll::arithmetic_of<Sum, int>();
  const auto chosen = [&] { return policy().select(Collective::allreduce, shape, media()); };
  EXPECT_STREQ(chosen().algorithm->name, "native");
  shape.commutative = false;
  EXPECT_STRNE(chosen().algorithm->name, "native") << "it need not keep the order of ranks";
  shape.commutative = true;
  const auto left = [](int a, int) { return a; };
  shape.arithmetic = coll::arithmetic_of<decltype(left), int>();
  EXPECT_STRNE(chosen().algorithm->name, "native");
  EXPECT_EQ(allreduce(rank() + 5, left), 5);
  EXPECT_EQ(allreduce(rank() == 0, LogicalOr{}), true);
  expect_allreduce<float>(LogicalAnd{});
}

TEST_F(MpiCollectivesTest, self_blocks_may_lie_in_place) {
  if (!media().mpi_library) GTEST_SKIP() << no_mpi_library;
  const AllNative forced;
  const auto ranks = static_cast<std::size_t>(size());
  const auto me = static_cast<std::size_t>(rank());
  std::vector<int> expected(2 * ranks);
  std::iota(expected.begin(), expected.end(), 0);
  for (const bool everybody : {false, true}) {
    std::vector<int> all(2 * ranks, -1);
    const auto own = std::span(all).subspan(2 * me, 2);
    own[0] = expected[2 * me];
    own[1] = expected[2 * me + 1];
    if (everybody) {
      allgather(std::span<const int>(own), std::span(all));
    } else {
      gather(std::span<const int>(own), std::span(all), size() - 1);
    }
    if (everybody || rank() == size() - 1) {
      EXPECT_EQ(all, expected);
    }
  }
  std::vector<int> blocks = rank() == 0 ? expected : std::vector<int>(2 * ranks, -1);
  const auto own = std::span(blocks).subspan(2 * me, 2);
  scatter(std::span<const int>(blocks), own, 0);
  EXPECT_EQ(own[1], expected[2 * me + 1]);
  std::vector<int> sum(3, rank() + 1);
  reduce(std::span<const int>(sum), std::span(sum), Sum{}, 0);
  if (rank() == 0) {
    EXPECT_EQ(sum, std::vector<int>(3, size() * (size() + 1) / 2));
  }
}

TEST_F(MpiCollectivesTest, prefixes_leave_alone_what_they_do_not_fill) {
  if (!media().mpi_library) GTEST_SKIP() << no_mpi_library;
  const AllNative forced;
  std::vector<int> mine(4, rank() + 1);
  std::vector<int> before(4, -7);
  exscan(std::span<const int>(mine), std::span(before), Sum{});
  EXPECT_EQ(before, std::vector<int>(4, rank() == 0 ? -7 : rank() * (rank() + 1) / 2));
  scan(std::span<const int>(mine), std::span(mine), Sum{});
  EXPECT_EQ(mine, std::vector<int>(4, (rank() + 1) * (rank() + 2) / 2));
}

TEST_F(MpiCollectivesTest, several_are_in_flight_at_once) {
  if (!media().mpi_library) GTEST_SKIP() << no_mpi_library;
  const AllNative forced;
  constexpr int many = 40;
  std::vector<std::vector<int>> data(many, std::vector<int>(1000, 1));
  std::vector<Future<void>> futures;
  const auto left = [](int a, int) { return a; };
  for (int i = 0; i < many; ++i) {
    auto& own = data[static_cast<std::size_t>(i)];
    own.assign(own.size(), rank() + i);
    const std::span<int> all(own);
    if (i % 4 == 0) futures.push_back(broadcast_async(all, i % size()));
    if (i % 4 == 1) futures.push_back(allreduce_async(std::span<const int>(own), all, Sum{}));
    if (i % 4 == 2) futures.push_back(barrier_async());
    if (i % 4 == 3) futures.push_back(allreduce_async(std::span<const int>(own), all, left));
  }
  for (int i = many; i-- > 0;) futures[static_cast<std::size_t>(i)].get();
  for (int i = 0; i < many; ++i) {
    int expected = rank() + i;
    if (i % 4 == 0) expected = i % size() + i;
    if (i % 4 == 1) expected = size() * (size() - 1) / 2 + i * size();
    if (i % 4 == 3) expected = i;
    EXPECT_EQ(data[static_cast<std::size_t>(i)], std::vector<int>(1000, expected)) << i;
  }
}

TEST_F(MpiCollectivesTest, empty_ones_are_over_at_once) {
  if (!media().mpi_library) GTEST_SKIP() << no_mpi_library;
  const AllNative forced;
  std::vector<double> nothing;
  allreduce(std::span<const double>(nothing), std::span(nothing), Sum{});
  broadcast_async(std::span(nothing), 0).get();
  alltoall(std::span<const double>(nothing), std::span(nothing));
}

TEST_F(MpiCollectivesTest, a_rank_that_waits_for_the_others_answers_calls) {
  if (!media().mpi_library) GTEST_SKIP() << no_mpi_library;
  const AllNative forced;
  for (int round = 0; round < 5; ++round) {
    // The last rank comes only after all others, which are in it or on their way, have answered.
    if (rank() == size() - 1) {
      for (int to = 0; to < rank(); ++to) {
        EXPECT_EQ(invoke(
                      to, [](int a) { return a + 1; }, round),
                  round + 1);
      }
    }
    EXPECT_EQ(allreduce(rank(), Sum{}), size() * (size() - 1) / 2);
    int data = rank();
    broadcast_async(std::span(&data, 1), size() - 1).get();
    EXPECT_EQ(data, size() - 1);
  }
}

}  // namespace
}  // namespace tasuki::test
