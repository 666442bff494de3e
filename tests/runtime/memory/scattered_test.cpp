#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "support/rank_test.hpp"

namespace tasuki::test {
namespace {

using ScatteredTest = RankTest;

constexpr std::size_t array_count = 60'000;

/// Arrays of which each rank writes and reads the next rank's.
struct Arrays {
  explicit Arrays(bool in_heap)
      : heap(in_heap ? new_array<std::uint64_t>(array_count) : nullptr),
        own(in_heap ? 0 : array_count),
        heap_counter(in_heap ? new_<std::uint64_t>(0U) : nullptr) {
    mine = in_heap ? heap.raw() : own.data();
    counter = in_heap ? heap_counter.raw() : &own_counter;
    theirs = allgather(global_ptr(mine))[static_cast<std::size_t>(next_rank())];
    their_counter = allgather(global_ptr(counter))[static_cast<std::size_t>(next_rank())];
  }
  ~Arrays() {
    barrier();
    delete_(heap);
    delete_(heap_counter);
  }
  Arrays(const Arrays&) = delete;
  Arrays& operator=(const Arrays&) = delete;

  GlobalPtr<std::uint64_t> heap;
  std::vector<std::uint64_t> own;
  GlobalPtr<std::uint64_t> heap_counter;
  alignas(8) std::uint64_t own_counter = 0;
  std::uint64_t* mine;
  std::uint64_t* counter;
  GlobalPtr<std::uint64_t> theirs;
  GlobalPtr<std::uint64_t> their_counter;
};

/// What is written and read, the same on all ranks of a round but for the values.
struct Pattern {
  std::size_t block;
  std::size_t remote_stride;
  std::size_t local_stride;
  std::vector<std::size_t> indices;  ///< Of disjoint blocks.

  static Pattern random(std::size_t block, std::uint32_t seed) {
    std::minstd_rand numbers(seed);
    Pattern pattern{block, block + numbers() % 5, block + numbers() % 3, {}};
    const std::size_t most_count =
        std::min<std::size_t>(1'500, array_count / std::max(pattern.remote_stride, std::size_t{1}));
    std::vector<std::size_t> places(most_count);
    std::iota(places.begin(), places.end(), 0U);
    std::shuffle(places.begin(), places.end(), numbers);
    places.resize(1 + numbers() % most_count);
    for (const std::size_t place : places) {
      pattern.indices.push_back(place * pattern.remote_stride);
    }
    return pattern;
  }
  std::size_t count() const { return indices.size(); }
};

std::uint64_t value_of(int rank, std::uint32_t round, std::size_t i) {
  return static_cast<std::uint64_t>(rank) << 48U | std::uint64_t{round} << 32U | i;
}

std::vector<std::uint64_t> values_of(int rank, std::uint32_t round, std::size_t count) {
  std::vector<std::uint64_t> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = value_of(rank, round, i);
  return values;
}

enum class Form : std::uint8_t { blocking, async, signal };

void write_strided(const Arrays& arrays, const Pattern& pattern,
                   const std::vector<std::uint64_t>& data, Form form) {
  const auto& [block, remote, local, indices] = pattern;
  const std::size_t count = pattern.count();
  if (form == Form::blocking) {
    arrays.theirs.nwrite_strided(data.data(), block, count, remote, local);
    barrier();
  } else if (form == Form::async) {
    arrays.theirs.nwrite_strided_async(data.data(), block, count, remote, local).get();
    barrier_async().get();  // which promises nothing about writes
  } else {
    arrays.theirs.nwrite_strided_signal(data.data(), block, count, remote, local,
                                        arrays.their_counter, 3);
  }
}

void write_indexed(const Arrays& arrays, const Pattern& pattern,
                   const std::vector<std::uint64_t>& data, Form form) {
  if (form == Form::blocking) {
    arrays.theirs.nwrite_indexed(data.data(), pattern.block, pattern.indices);
    barrier();
  } else if (form == Form::async) {
    arrays.theirs.nwrite_indexed_async(data.data(), pattern.block, pattern.indices).get();
    barrier_async().get();
  } else {
    arrays.theirs.nwrite_indexed_signal(data.data(), pattern.block, pattern.indices,
                                        arrays.their_counter, 3);
  }
}

void expect_scattered(Arrays& arrays, const Pattern& pattern, std::uint32_t round, Form form) {
  const std::size_t block = pattern.block;
  const bool strided = round % 2 == 0;
  std::vector<std::uint64_t> expected(arrays.mine, arrays.mine + array_count);
  const std::size_t local_stride = strided ? pattern.local_stride : block;
  const auto there = values_of(previous_rank(), round, pattern.count() * local_stride);
  for (std::size_t i = 0; i < pattern.count(); ++i) {
    const std::size_t at = strided ? i * pattern.remote_stride : pattern.indices[i];
    std::copy_n(there.begin() + static_cast<std::ptrdiff_t>(i * local_stride), block,
                expected.begin() + static_cast<std::ptrdiff_t>(at));
  }
  const std::uint64_t counted = *arrays.counter;
  barrier();
  const auto data = values_of(rank(), round, pattern.count() * local_stride);
  (strided ? write_strided : write_indexed)(arrays, pattern, data, form);
  if (form == Form::signal) wait_signal(arrays.counter, counted + 3);
  ASSERT_TRUE(std::equal(expected.begin(), expected.end(), arrays.mine))
      << "block " << block << ", count " << pattern.count() << ", round " << round;
  barrier();
  std::vector<std::uint64_t> read(data.size());
  if (strided) {
    arrays.theirs.nread_strided(read.data(), block, pattern.count(), pattern.remote_stride,
                                local_stride);
  } else {
    arrays.theirs.nread_indexed_async(read.data(), block, pattern.indices).get();
  }
  for (std::size_t i = 0; i < read.size(); ++i) {
    ASSERT_EQ(read[i], i % local_stride < block ? data[i] : 0U)
        << "block " << block << ", at " << i;
  }
  barrier();
}

TEST_F(ScatteredTest, blocks_of_all_sizes_arrive_where_they_belong) {
  std::uint32_t round = 0;
  for (const bool in_heap : {true, false}) {
    Arrays arrays(in_heap);
    for (const std::size_t block : {1U, 3U, 32U, 33U, 500U}) {
      for (const Form form : {Form::blocking, Form::async, Form::signal}) {
        for (int i = 0; i < 2; ++i) {
          ++round;
          expect_scattered(arrays, Pattern::random(block, round), round, form);
        }
      }
    }
  }
}

TEST_F(ScatteredTest, several_counts_of_one_counter_stand_for_all_that_was_written_before) {
  // Large and small blocks in turn: the data of the large ones travel by themselves.
  for (const bool in_heap : {true, false}) {
    Arrays arrays(in_heap);
    const std::vector<std::size_t> few = {0, 30'000, 15'000};
    std::vector<std::size_t> many(700);
    for (std::size_t i = 0; i < many.size(); ++i) many[i] = 50'000 + 3 * i;
    std::uint64_t counted = 0;
    for (std::uint64_t round = 1; round <= 10; ++round) {
      const std::vector<std::uint64_t> data(few.size() * 12'000, round);
      arrays.theirs.nwrite_indexed_signal(data.data(), 12'000, few, arrays.their_counter);
      arrays.theirs.nwrite_indexed_signal(data.data(), 2, many, arrays.their_counter);
      wait_signal(arrays.counter, ++counted);
      for (const std::size_t at : few) {
        EXPECT_EQ(std::count(arrays.mine + at, arrays.mine + at + 12'000, round), 12'000);
      }
      wait_signal(arrays.counter, ++counted);
      for (const std::size_t at : many) EXPECT_EQ(arrays.mine[at + 1], round);
      barrier();
    }
  }
}

TEST_F(ScatteredTest, no_blocks_are_written_and_read_without_a_place) {
  const GlobalPtr<std::uint64_t> null;
  const std::vector<std::size_t> none;
  null.nwrite_indexed(nullptr, 1, none);
  null.nwrite_strided_async(nullptr, 0, 5, 1, 1).get();
  null.nread_indexed(nullptr, 1, none);
  const auto counter = new_<std::uint64_t>(0U);
  const auto there = allgather(counter)[static_cast<std::size_t>(next_rank())];
  GlobalPtr<std::uint64_t>(next_rank(), nullptr).nwrite_indexed_signal(nullptr, 1, none, there);
  wait_signal(counter.raw(), 1);
  barrier();
  delete_(counter);
}

TEST_F(ScatteredTest, places_that_do_not_exist_are_errors) {
  Arrays arrays(false);
  std::uint64_t word = 0;
  const std::vector<std::size_t> wild = {0, static_cast<std::size_t>(-1)};
  const std::string no_memory = "has no memory of";
  EXPECT_TRUE(contains(error_of([&] { arrays.theirs.nread_indexed(&word, 1, wild); }), no_memory));
  EXPECT_TRUE(contains(error_of([&] { arrays.theirs.nwrite_indexed(&word, 1, wild); }), no_memory));
  EXPECT_TRUE(contains(
      error_of([&] { arrays.theirs.nwrite_strided_async(&word, 1, 2, SIZE_MAX, 0).get(); }),
      no_memory));
  const std::vector<std::size_t> first = {0};
  const GlobalPtr<std::uint64_t> elsewhere(previous_rank(), arrays.counter);
  if (size() > 2) {
    EXPECT_TRUE(
        contains(error_of([&] { arrays.theirs.nwrite_indexed_signal(&word, 1, first, elsewhere); }),
                 "use a signal on the same rank as the data"));
  }
}

/// Large writes to one place go to a pre-posted receive, where the transport has any.
TEST_F(ScatteredTest, small_blocks_count_behind_large_writes_on_their_counter) {
  constexpr std::size_t large_count = 2'000;
  constexpr std::uint64_t large_alone = 5;
  constexpr std::uint64_t pairs_count = 50;
  const Arrays arrays(true);
  const std::array<std::size_t, 2> indices{large_count, large_count + 2};
  const std::array<std::uint64_t, 2> small{};
  std::vector<std::uint64_t> large(large_count);
  for (std::uint64_t step = 1; step <= large_alone + pairs_count; ++step) {
    const bool is_pair = step > large_alone;
    std::fill(large.begin(), large.end(), step);
    arrays.theirs.nwrite_signal(large.data(), large_count, arrays.their_counter);
    if (is_pair)
      arrays.theirs.nwrite_indexed_signal(small.data(), 1, indices, arrays.their_counter);
    const std::uint64_t count_with_large = is_pair ? 2 * step - large_alone - 1 : step;
    wait_signal(arrays.counter, count_with_large);
    EXPECT_GE(arrays.mine[large_count - 1], step);
    wait_signal(arrays.counter, is_pair ? count_with_large + 1 : count_with_large);
    barrier();
  }
}

}  // namespace
}  // namespace tasuki::test
