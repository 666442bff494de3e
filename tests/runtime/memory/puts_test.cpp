#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "support/rank_test.hpp"

namespace tasuki::test {
namespace {

using PutsTest = RankTest;

template <class T>
T of_rank(int rank, T own) {
  return allgather(own)[static_cast<std::size_t>(rank)];
}

void fill_there(GlobalPtr<std::uint64_t> to, std::size_t count, std::uint64_t value) {
  const std::vector<std::uint64_t> data(count, value);
  to.nwrite(data.data(), count);
}

TEST_F(PutsTest, writes_made_by_calls_are_there_after_quiesce) {
  constexpr std::size_t count = 60'000;
  std::vector<std::uint64_t> own(count);
  const auto all = allgather(global_ptr(own.data()));
  const auto target = all[static_cast<std::size_t>((rank() + 2) % size())];
  for (std::uint64_t round = 1; round < 8; ++round) {
    for (std::size_t size = 100; 2 * size <= count; size *= 5) {
      post(next_rank(), fill_there, target + static_cast<std::ptrdiff_t>(size), size, round + size);
    }
    quiesce();
    for (std::size_t size = 100; 2 * size <= count; size *= 5) {
      EXPECT_EQ(own[2 * size - 1], round + size) << "round " << round;
    }
    barrier();
  }
}

TEST_F(PutsTest, what_nobody_waits_for_is_done_after_quiesce) {
  std::vector<std::uint64_t> theirs(5'000, static_cast<std::uint64_t>(rank()) + 1);
  std::vector<std::uint64_t> read(5'000);
  const auto from = of_rank(next_rank(), global_ptr(theirs.data()));
  for (std::size_t count = 1; count <= 5'000; count *= 7) {
    std::fill(read.begin(), read.end(), 0);
    barrier();
    static_cast<void>(from.nread_async(read.data(), count));
    quiesce();
    EXPECT_EQ(read[count - 1], static_cast<std::uint64_t>(next_rank()) + 1);
  }
  barrier();
}

/// Places of several sizes in a kind of memory each, on two counters of which the second is seldom
/// used.
struct Places {
  static constexpr std::array<std::size_t, 7> counts = {1, 40'000, 6, 300, 3'000, 20'000, 100};
  std::array<std::vector<std::uint64_t>, counts.size()> in_vectors;
  std::array<GlobalPtr<std::uint64_t>, counts.size()> places;
  std::array<GlobalPtr<std::uint64_t>, 2> counters;
  alignas(8) std::uint64_t own_counter = 0;

  explicit Places(std::uint32_t kinds) {
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if ((kinds >> i & 1U) != 0) {
        in_vectors[i].resize(counts[i]);
        places[i] = global_ptr(in_vectors[i].data());
      } else {
        places[i] = new_array<std::uint64_t>(counts[i]);
      }
    }
    counters = {new_<std::uint64_t>(0U), global_ptr(&own_counter)};
  }
  ~Places() {
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (in_vectors[i].empty()) delete_(places[i]);
    }
    delete_(counters[0]);
  }
};

/// The writes of a round, the same for all ranks: numbers of places, some with the other counter.
std::vector<std::size_t> order_of(std::uint32_t seed) {
  std::vector<std::size_t> order(Places::counts.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::shuffle(order.begin(), order.end(), std::minstd_rand(seed));
  return order;
}

/// Writes `rounds_count` times to all places of the next rank while the rank before does so here,
/// and checks whether each count stands for data that are here.
void expect_counts_in_order(std::uint32_t kinds, bool always_the_same) {
  Places own(kinds);
  std::array<GlobalPtr<std::uint64_t>, Places::counts.size()> places;
  std::array<GlobalPtr<std::uint64_t>, 2> counters;
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = of_rank(next_rank(), own.places[i]);
  for (std::size_t i = 0; i < 2; ++i) counters[i] = of_rank(next_rank(), own.counters[i]);
  const auto go = new_<std::uint64_t>(0U);
  const auto go_there = of_rank(previous_rank(), go);
  std::array<std::uint64_t, 2> counted{};
  const std::uint64_t one = 1;
  std::uint64_t unused = 0;
  const auto unused_there = of_rank(previous_rank(), global_ptr(&unused));
  for (std::uint64_t round = 1; round <= 15; ++round) {
    const auto order = order_of(always_the_same ? 1 : static_cast<std::uint32_t>(round) + kinds);
    const auto counter_of = [&](std::size_t place) {
      return place == 5 && round % 3 == 0 ? 1U : 0U;
    };
    for (const std::size_t place : order) {
      const std::vector<std::uint64_t> data(Places::counts[place], round);
      places[place].nwrite_signal(data.data(), data.size(), counters[counter_of(place)]);
    }
    for (const std::size_t place : order) {
      const auto counter = counter_of(place);
      wait_signal(own.counters[counter].raw(), ++counted[counter]);
      const std::uint64_t* const data = own.places[place].raw();
      ASSERT_EQ(data[0], round) << "place " << place << ", kinds " << kinds;
      ASSERT_EQ(data[Places::counts[place] - 1], round) << "place " << place << ", kinds " << kinds;
    }
    // No fence: it would let the next round begin afresh.
    unused_there.nwrite_signal(&one, 1, go_there);
    wait_signal(go.raw(), round);
  }
  barrier();
  EXPECT_EQ(*own.counters[0].raw(), counted[0]);
  EXPECT_EQ(*own.counters[1].raw(), counted[1]);
  barrier();
  delete_(go);
}

TEST_F(PutsTest, writes_on_one_counter_count_in_the_order_in_which_they_were_made) {
  for (std::uint32_t kinds = 0; kinds < 128; kinds += 9) {
    expect_counts_in_order(kinds, false);
    expect_counts_in_order(kinds, true);
  }
}

TEST_F(PutsTest, a_double_buffer_needs_one_counter_only) {
  for (const std::size_t count : {4U, 127U, 128U, 1'000U, 30'000U}) {
    const auto buffers = new_array<std::uint64_t>(2 * count);
    const auto arrived = new_<std::uint64_t>(0U);
    const auto buffers_there = of_rank(next_rank(), buffers);
    const auto arrived_there = of_rank(next_rank(), arrived);
    // Both halves are under way before the first is read.
    for (std::uint64_t round = 1; round <= 20; round += 2) {
      for (std::uint64_t half = 0; half < 2; ++half) {
        const std::vector<std::uint64_t> data(count, round + half);
        (buffers_there + static_cast<std::ptrdiff_t>(half * count))
            .nwrite_signal(data.data(), count, arrived_there);
      }
      for (std::uint64_t half = 0; half < 2; ++half) {
        wait_signal(arrived.raw(), round + half);
        const std::uint64_t* const data = buffers.raw() + half * count;
        EXPECT_EQ(std::count(data, data + count, round + half), static_cast<std::ptrdiff_t>(count));
      }
      barrier();
    }
    delete_(buffers);
    delete_(arrived);
  }
}

TEST_F(PutsTest, small_writes_wait_for_a_large_one_on_their_counter) {
  constexpr std::size_t large_count = 100'000;
  std::vector<std::uint64_t> large(large_count);
  std::vector<std::uint64_t> small(2'000);
  alignas(8) std::uint64_t counter = 0;
  const auto large_there = of_rank(next_rank(), global_ptr(large.data()));
  const auto small_there = of_rank(next_rank(), global_ptr(small.data()));
  const auto counter_there = of_rank(next_rank(), global_ptr(&counter));
  for (std::uint64_t round = 1; round <= 5; ++round) {
    const std::vector<std::uint64_t> data(large_count, round);
    large_there.nwrite_signal(data.data(), large_count, counter_there);
    for (std::size_t i = 0; i < small.size(); ++i) {
      (small_there + static_cast<std::ptrdiff_t>(i)).nwrite_signal(&round, 1, counter_there);
    }
    const std::uint64_t first = (round - 1) * (small.size() + 1) + 1;
    wait_signal(&counter, first);
    EXPECT_EQ(large[large_count - 1], round);
    wait_signal(&counter, first + small.size());
    EXPECT_EQ(std::count(small.begin(), small.end(), round),
              static_cast<std::ptrdiff_t>(small.size()));
    barrier();
    EXPECT_EQ(counter, first + small.size());
    barrier();
  }
}

}  // namespace
}  // namespace tasuki::test
