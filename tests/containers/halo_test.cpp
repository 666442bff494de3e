#include <tasuki/containers/halo.hpp>

#include <new>

#include "support/rank_test.hpp"

namespace tasuki::test {
namespace {

using HaloTest = RankTest;

/// Checks every element that the halo of a numbered array must have, and no other.
void check_halo(Array<std::int64_t>& array, std::int64_t width) {
  Halo<std::int64_t> halo(array, width);
  for (std::int64_t step = 1; step <= 3; ++step) {
    array.for_all([&](std::span<const std::int64_t> at, std::int64_t& element) {
      element = step * 10'000 + 100 * at[0] + at[1];
    });
    halo.exchange();
    array.local_for_all([&](std::span<const std::int64_t> at, const std::int64_t&) {
      for (std::int64_t i = at[0] - width; i <= at[0] + width; ++i) {
        for (std::int64_t j = at[1] - width; j <= at[1] + width; ++j) {
          const bool is_inside = i >= 0 && i < array.extent(0) && j >= 0 && j < array.extent(1);
          ASSERT_EQ(halo.has(i, j), is_inside);
          if (is_inside) {
            ASSERT_EQ(halo(i, j), step * 10'000 + 100 * i + j);
          }
        }
      }
    });
  }
}

TEST_F(HaloTest, elements_of_neighbours_are_as_they_were_at_the_exchange) {
  for (const std::int64_t width : {0, 1, 2, 5}) {
    Array<std::int64_t> blocks({9, 11}, {Block{}, Block{}});
    check_halo(blocks, width);
    Array<std::int64_t> rows({9, 11}, {Block{}, Whole{}});
    check_halo(rows, width);
    Array<std::int64_t> few({2, 2}, {Block{}, Block{}});
    check_halo(few, width);
    barrier();
  }
}

/// Who has finished an exchange may write into the blocks of its neighbours, which have perhaps
/// not returned from the same exchange.
TEST_F(HaloTest, what_neighbours_write_after_an_exchange_is_not_in_it) {
  constexpr std::int64_t columns = 50'000;
  Array<std::int64_t> array({2 * std::int64_t{size()}, columns}, {Block{}, Whole{}});
  Halo<std::int64_t> halo(array, 1);
  for (std::int64_t step = 1; step <= 5; ++step) {
    array.for_all([&](std::span<const std::int64_t>, std::int64_t& element) { element = step; });
    halo.exchange();
    for (const std::int64_t row : {2 * rank() - 1, 2 * rank() + 2}) {
      if (row < 0 || row >= array.extent(0)) continue;
      array.pointer(row, 0).write(-1);
      array.pointer(row, columns - 1).write(-1);
    }
    for (std::int64_t row = 2 * rank() - 1; row <= 2 * rank() + 2; ++row) {
      if (row < 0 || row >= array.extent(0)) continue;
      ASSERT_EQ(halo(row, 0), step);
      ASSERT_EQ(halo(row, columns - 1), step);
    }
  }
  barrier();
}

/// An element that one rank cannot make, if its test says so.
struct Costly {
  static inline bool is_too_costly = false;
  Costly() {
    if (is_too_costly && rank() == size() - 1) throw std::bad_alloc();
  }
  int value = 0;
};

TEST_F(HaloTest, all_ranks_hear_of_one_without_room) {
  Array<Costly> array({size()}, {Block{}});
  barrier();
  Costly::is_too_costly = true;
  EXPECT_THROW(Halo<Costly>(array, 1), std::exception);
  barrier();
  Costly::is_too_costly = false;
  barrier();
}

TEST_F(HaloTest, a_halo_of_a_cyclic_array_is_an_error) {
  Array<int> array({40, 2}, {Cyclic{}, Whole{}});
  if (size() > 1) {
    const std::string text = error_of([&] { const Halo<int> halo(array, 1); });
    EXPECT_TRUE(contains(text, "dimension 0 of the Array is cyclic. Remedy: divide")) << text;
  }
  barrier();
}

}  // namespace
}  // namespace tasuki::test
