#include <algorithm>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <vector>

#include "support/rank_test.hpp"

namespace tasuki::test {
namespace {

using GlobalPtrTest = RankTest;

/// Everybody's pointer, by rank.
template <class T>
GlobalPtr<T> of_rank(int rank, GlobalPtr<T> mine) {
  return allgather(mine)[static_cast<std::size_t>(rank)];
}

struct Particle {
  double x = 0;
  int charge = 0;
  bool operator==(const Particle&) const = default;
};

template <class T>
void expect_read_and_write(T* object, const T& first, const T& second) {
  *object = first;
  const auto theirs = of_rank(next_rank(), GlobalPtr<T>(rank(), object));
  barrier();
  EXPECT_EQ(theirs.read(), first);
  EXPECT_EQ(theirs.read_async().get(), first);
  barrier();
  theirs.write(second);
  barrier();
  EXPECT_EQ(*object, second);
  barrier();
  theirs.write_async(first).get();
  EXPECT_EQ(theirs.read(), first);
  barrier();
  *theirs = second;
  const T read_back = *theirs;
  fence();
  EXPECT_EQ(static_cast<T>(*theirs), second);
  static_cast<void>(read_back);
  barrier();
  EXPECT_EQ(*object, second);
}

TEST_F(GlobalPtrTest, one_object_in_the_heap_on_the_stack_and_from_malloc) {
  const auto heap = new_<int>();
  expect_read_and_write(heap.raw(), 1, 2);
  delete_(heap);
  Particle on_stack;
  expect_read_and_write(&on_stack, Particle{1.5, 2}, Particle{2.5, -1});
  const std::unique_ptr<long, decltype(&std::free)> from_malloc(
      static_cast<long*>(std::malloc(sizeof(long))), &std::free);
  expect_read_and_write(from_malloc.get(), 7L, -7L);
  static char global = 0;
  char own = 0;
  expect_read_and_write(is_loopback() ? &own : &global, 'a', 'b');
}

int count_different(GlobalPtr<int> first, int count, int expected) {
  return static_cast<int>(count - std::count(first.raw(), first.raw() + count, expected));
}

/// Writes, fences, and asks the owner what it sees.
int count_missing_after_fence(GlobalPtr<int> to, int count, int value) {
  const std::vector<int> data(static_cast<std::size_t>(count), value);
  to.nwrite(data.data(), data.size());
  fence();
  return tasuki::invoke(to.rank(), count_different, to, count, value);
}

TEST_F(GlobalPtrTest, each_fiber_that_fences_finds_its_own_writes_done) {
  constexpr int fibers = 4;
  constexpr int count = 5000;
  constexpr int rounds = 6;
  const auto mine = new_array<int>(fibers * count);
  const auto theirs = of_rank(next_rank(), mine);
  for (int round = 1; round <= rounds; ++round) {
    std::vector<Future<int>> missing;
    for (int fiber = 0; fiber < fibers; ++fiber) {
      missing.push_back(tasuki::ainvoke(rank(), count_missing_after_fence,
                                        theirs + std::ptrdiff_t{fiber} * count, count - fiber,
                                        round));
    }
    for (auto& each : missing) EXPECT_EQ(each.get(), 0) << "round " << round;
  }
  barrier();
  delete_(mine);
}

/// The same of one write that other writes may overtake.
int count_missing_of_large_write(GlobalPtr<int> to, int count, int value) {
  const std::vector<int> data(static_cast<std::size_t>(count), value);
  const Future<void> done = to.nwrite_async(data.data(), data.size());
  fence();
  const int missing = tasuki::invoke(to.rank(), count_different, to, count, value);
  done.wait();
  return missing;
}

TEST_F(GlobalPtrTest, writes_after_a_fence_has_asked_do_not_answer_it) {
  constexpr int large = 1 << 18;
  constexpr std::size_t small = 10'000;  // still bulk data, on each transport
  constexpr int writes = 20;
  constexpr int rounds = 10;
  const auto mine = new_array<int>(large + small);
  const auto theirs = of_rank(next_rank(), mine);
  const std::vector<int> data(small, -1);
  for (int round = 1; round <= rounds; ++round) {
    Future<int> missing =
        tasuki::ainvoke(rank(), count_missing_of_large_write, theirs, large, round);
    for (int i = 0; i < writes; ++i) {
      yield();
      (theirs + large).nwrite(data.data(), data.size());
    }
    EXPECT_EQ(missing.get(), 0) << "round " << round;
  }
  barrier();
  delete_(mine);
}

TEST_F(GlobalPtrTest, more_writes_at_once_than_may_be_under_way) {
  constexpr std::size_t count = 200;
  constexpr std::size_t words = 512;
  const auto mine = new_array<std::uint64_t>(count * words);
  const auto theirs = of_rank(next_rank(), mine);
  std::vector<std::uint64_t> data(count * words);
  std::iota(data.begin(), data.end(), 1);
  std::vector<Future<void>> done;
  for (std::size_t i = 0; i < count; ++i) {
    const auto first = static_cast<std::ptrdiff_t>(i * words);
    done.push_back((theirs + first).nwrite_async(data.data() + first, words));
  }
  fence();
  EXPECT_EQ(theirs[static_cast<std::ptrdiff_t>(data.size()) - 1], data.back());
  for (auto& each : done) each.get();
  barrier();
  EXPECT_TRUE(std::equal(data.begin(), data.end(), mine.raw()));
  barrier();
  delete_(mine);
}

/// Blocks of `count` elements over there and back, in heap and in private memory.
void expect_arrays(std::size_t count) {
  const auto heap = new_array<std::uint64_t>(count);
  std::vector<std::uint64_t> own(count);
  for (std::uint64_t* memory : {heap.raw(), own.data()}) {
    const auto theirs = of_rank(next_rank(), GlobalPtr<std::uint64_t>(rank(), memory));
    std::vector<std::uint64_t> data(count);
    std::iota(data.begin(), data.end(), static_cast<std::uint64_t>(rank()) << 32U);
    theirs.nwrite(data.data(), count);
    std::fill(data.begin(), data.end(), 0);  // the source may be reused
    barrier();
    const auto first = static_cast<std::uint64_t>(previous_rank()) << 32U;
    bool as_written = true;
    for (std::size_t i = 0; i < count; ++i) as_written = as_written && memory[i] == first + i;
    EXPECT_TRUE(as_written) << count;
    theirs.nread(data.data(), count);
    EXPECT_EQ(data.front(), static_cast<std::uint64_t>(rank()) << 32U);
    EXPECT_EQ(data.back(), (static_cast<std::uint64_t>(rank()) << 32U) + count - 1);
    barrier();
    theirs.nwrite_async(data.data(), count).get();
    std::fill(data.begin(), data.end(), 0);
    theirs.nread_async(data.data(), count).get();
    EXPECT_EQ(data.back(), (static_cast<std::uint64_t>(rank()) << 32U) + count - 1);
    barrier();
  }
  delete_(heap);
}

TEST_F(GlobalPtrTest, arrays_of_all_sizes) {
  for (const std::size_t count : {1UL, 7UL, 500UL, 509UL, 520UL, 5'000UL}) expect_arrays(count);
}

TEST_F(GlobalPtrTest, arrays_larger_than_rings_and_buffers) { expect_arrays(300'000); }

TEST_F(GlobalPtrTest, empty_arrays) {
  const auto theirs = of_rank(next_rank(), new_array<int>(1));
  theirs.nwrite(nullptr, 0);
  theirs.nread(nullptr, 0);
  theirs.nread_async(nullptr, 0).get();
  fence();
}

/// Writes to one place again and again, so that the transport may learn it by heart.
void expect_repeated_writes(std::size_t count) {
  std::vector<int> own(count, -1);
  const auto theirs = of_rank(next_rank(), global_ptr(own.data()));
  std::vector<int> data(count);
  for (int round = 0; round < 12; ++round) {
    for (const int value : {-2, round}) {
      std::fill(data.begin(), data.end(), value);
      theirs.nwrite(data.data(), count);
      std::fill(data.begin(), data.end(), -3);  // the source may be reused
      fence();
    }
    barrier();
    EXPECT_EQ(std::count(own.begin(), own.end(), round), static_cast<std::ptrdiff_t>(count));
    barrier();
  }
}

TEST_F(GlobalPtrTest, the_same_array_again_and_again) {
  for (const std::size_t count : {1UL, 700UL, 2'000UL, 3'000UL, 5'000UL, 100'000UL}) {
    expect_repeated_writes(count);
  }
}

TEST_F(GlobalPtrTest, more_places_again_and_again_than_are_remembered) {
  constexpr std::size_t count = 6'000;
  constexpr std::size_t places_count = 24;
  std::vector<std::vector<int>> own(places_count, std::vector<int>(count));
  std::vector<GlobalPtr<int>> theirs;
  for (std::vector<int>& place : own) {
    theirs.push_back(of_rank(next_rank(), global_ptr(place.data())));
  }
  for (int round = 1; round < 8; ++round) {
    for (std::size_t i = 0; i < places_count; ++i) {
      const std::vector<int> data(count, round * static_cast<int>(i + 1));
      theirs[i].nwrite(data.data(), count);
    }
    barrier();
    for (std::size_t i = 0; i < places_count; ++i) {
      EXPECT_EQ(own[i].front(), round * static_cast<int>(i + 1));
      EXPECT_EQ(own[i].back(), round * static_cast<int>(i + 1));
    }
    barrier();
  }
}

TEST_F(GlobalPtrTest, signals_of_writes_again_and_again) {
  constexpr std::size_t count = 20'000;
  struct Inbox {
    std::uint64_t arrived = 0;
    std::vector<int> data = std::vector<int>(count);
  } inbox;
  const auto signal = of_rank(next_rank(), global_ptr(&inbox.arrived));
  const auto theirs = of_rank(next_rank(), global_ptr(inbox.data.data()));
  for (int round = 1; round < 10; ++round) {
    const std::vector<int> data(count, round);
    theirs.nwrite_signal(data.data(), count, signal);
    wait_signal(&inbox.arrived, static_cast<std::uint64_t>(round));
    EXPECT_EQ(std::count(inbox.data.begin(), inbox.data.end(), round),
              static_cast<std::ptrdiff_t>(count));
    barrier();
  }
}

TEST_F(GlobalPtrTest, several_transfers_in_flight) {
  constexpr std::size_t count = 3'000;
  constexpr std::size_t transfers_count = 40;
  std::vector<int> own(count * transfers_count);
  const auto theirs = of_rank(next_rank(), global_ptr(own.data()));
  std::vector<int> data(own.size());
  std::iota(data.begin(), data.end(), rank());
  std::vector<Future<void>> all;
  for (std::size_t i = 0; i < transfers_count; ++i) {
    const auto at = static_cast<std::ptrdiff_t>(i * count);
    all.push_back((theirs + at).nwrite_async(data.data() + at, count));
  }
  when_all(std::move(all)).get();
  barrier();
  EXPECT_EQ(own.front(), previous_rank());
  EXPECT_EQ(own.back(), previous_rank() + static_cast<int>(own.size()) - 1);
  std::vector<int> copy(own.size());
  all.clear();
  for (std::size_t i = 0; i < transfers_count; ++i) {
    const auto at = static_cast<std::ptrdiff_t>(i * count);
    all.push_back((theirs + at).nread_async(copy.data() + at, count));
  }
  when_all(std::move(all)).get();
  EXPECT_EQ(copy, data);
  barrier();
}

TEST_F(GlobalPtrTest, strided_blocks) {
  // A 4 x 3 block into and out of an 8 x 10 matrix.
  constexpr std::size_t rows = 8, columns = 10, block_rows = 4, block_columns = 3;
  std::vector<int> own(rows * columns, -1);
  const auto theirs = of_rank(next_rank(), global_ptr(own.data()));
  std::vector<int> block(block_rows * block_columns);
  std::iota(block.begin(), block.end(), rank() * 100);
  const std::ptrdiff_t corner = 2 * columns + 5;
  (theirs + corner).nwrite_strided(block.data(), block_columns, block_rows, columns, block_columns);
  barrier();
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      const bool inside = i >= 2 && i < 6 && j >= 5 && j < 8;
      const int expected =
          inside ? previous_rank() * 100 + static_cast<int>((i - 2) * block_columns + j - 5) : -1;
      EXPECT_EQ(own[i * columns + j], expected) << i << ' ' << j;
    }
  }
  std::vector<int> wide(block_rows * 5, -2);
  (theirs + corner).nread_strided(wide.data(), block_columns, block_rows, columns, 5);
  for (std::size_t i = 0; i < block_rows; ++i) {
    for (std::size_t j = 0; j < 5; ++j) {
      EXPECT_EQ(wide[i * 5 + j], j < block_columns ? block[i * block_columns + j] : -2);
    }
  }
  barrier();
}

TEST_F(GlobalPtrTest, arithmetic_and_members) {
  const auto mine = new_array<Particle>(10);
  const auto theirs = of_rank(next_rank(), mine);
  auto walk = theirs;
  for (int i = 0; i < 10; ++i) (walk++).write({i * 0.5, i});
  EXPECT_EQ(walk - theirs, 10);
  EXPECT_TRUE(walk > theirs);
  EXPECT_EQ((--walk).read(), (Particle{4.5, 9}));
  EXPECT_EQ((walk - 2).read().charge, 7);
  walk -= 3;
  walk += 1;
  EXPECT_EQ(walk, theirs + 7);
  EXPECT_EQ(static_cast<Particle>(theirs[3]).charge, 3);
  theirs[3] = Particle{0, 33};
  EXPECT_EQ((theirs + 3).member(&Particle::charge).read(), 33);
  (theirs + 4).member(&Particle::x).write(-1.0);
  barrier();
  EXPECT_EQ(mine.raw()[4], (Particle{-1.0, 4}));
  barrier();
  delete_(mine);
}

struct Node {
  int value = 0;
  GlobalPtr<Node> next;
};

TEST_F(GlobalPtrTest, pointers_to_pointers_across_ranks) {
  const auto mine = new_<Node>();
  const auto nodes = allgather(mine);
  mine.raw()->value = rank();
  mine.raw()->next = nodes[static_cast<std::size_t>(next_rank())];
  barrier();
  auto at = mine;
  for (int step = 0; step < 2 * size(); ++step) {
    EXPECT_EQ(at.member(&Node::value).read(), (rank() + step) % size());
    at = at.read().next;
  }
  EXPECT_EQ(at, mine);
  const auto indirect = new_<GlobalPtr<Node>>(mine);
  const auto theirs = of_rank(next_rank(), indirect);
  EXPECT_EQ(theirs.read().read().value, next_rank());
  barrier();
  delete_(mine);
  delete_(indirect);
}

template <class T>
void expect_atomics(GlobalPtr<T> mine) {
  const auto counter = of_rank(0, mine);
  constexpr int rounds = 100;
  for (int i = 0; i < rounds; ++i) counter.fetch_add(T{2});
  barrier();
  EXPECT_EQ(counter.read(), static_cast<T>(2 * rounds * size()));
  barrier();
  // Every rank takes a ticket by compare-exchange; all are different.
  T seen = counter.read();
  for (;;) {
    const T found = counter.compare_exchange(seen, static_cast<T>(seen + T{1}));
    if (found == seen) break;
    seen = found;
  }
  const auto tickets = allgather(seen);
  T sum = 0;
  for (const T ticket : tickets) sum = static_cast<T>(sum + ticket);
  const int first = 2 * rounds * size();
  const int added = size() * (size() - 1) / 2;
  EXPECT_EQ(sum, static_cast<T>(first * size() + added));
  barrier();
  if (rank() == size() - 1) {
    const T before = counter.read();
    EXPECT_EQ(counter.swap(T{5}), before);
    EXPECT_EQ(counter.compare_exchange(T{4}, T{9}), T{5});
    EXPECT_EQ(counter.read(), T{5});
  }
  barrier();
}

TEST_F(GlobalPtrTest, atomics_in_heap_and_private_memory) {
  const auto heap = new_<std::uint64_t>(0U);
  expect_atomics(heap);
  delete_(heap);
  alignas(8) std::int64_t own = 0;
  expect_atomics(global_ptr(&own));
  const auto word = new_<std::int32_t>(0);
  expect_atomics(word);
  delete_(word);
  const auto real = new_<double>(0.0);
  expect_atomics(real);
  delete_(real);
}

void expect_signalled(std::size_t count, std::uint64_t* data, std::uint64_t* signal) {
  const auto to = of_rank(next_rank(), global_ptr(data));
  const auto counter = of_rank(next_rank(), global_ptr(signal));
  std::vector<std::uint64_t> source(count);
  for (std::uint64_t round = 1; round <= 20; ++round) {
    std::fill(source.begin(), source.end(), round);
    to.nwrite_signal(source.data(), count, counter);
    wait_signal(signal, round);
    EXPECT_EQ(data[0], round);
    EXPECT_EQ(data[count - 1], round);
    barrier();
  }
}

TEST_F(GlobalPtrTest, put_with_signal_in_all_kinds_of_memory) {
  for (const std::size_t count : {1UL, 6UL, 500UL, 20'000UL}) {
    const auto heap = new_array<std::uint64_t>(count);
    const auto heap_signal = new_<std::uint64_t>(0U);
    std::vector<std::uint64_t> own(count);
    alignas(8) std::uint64_t own_signal = 0;
    expect_signalled(count, heap.raw(), heap_signal.raw());
    expect_signalled(count, own.data(), &own_signal);
    *heap_signal.raw() = own_signal = 0;
    barrier();
    expect_signalled(count, heap.raw(), &own_signal);
    expect_signalled(count, own.data(), heap_signal.raw());
    delete_(heap);
    delete_(heap_signal);
  }
}

TEST_F(GlobalPtrTest, signals_may_count_by_more_than_one) {
  alignas(8) std::uint64_t signal = 0;
  const auto data = new_array<std::uint64_t>(static_cast<std::size_t>(size()));
  const auto pointers = allgather(data);
  const auto signals = allgather(global_ptr(&signal));
  for (int target = 0; target < size(); ++target) {
    const auto to = static_cast<std::size_t>(target);
    const auto value = static_cast<std::uint64_t>(rank()) + 1;
    (pointers[to] + rank()).nwrite_signal(&value, 1, signals[to], value);
  }
  const auto ranks = static_cast<std::uint64_t>(size());
  wait_signal(&signal, ranks * (ranks + 1) / 2);
  for (std::uint64_t i = 0; i < ranks; ++i) EXPECT_EQ(data.raw()[i], i + 1);
  barrier();
  delete_(data);
}

TEST_F(GlobalPtrTest, local_is_where_this_process_can_address_the_object) {
  int own = 3;
  EXPECT_EQ(global_ptr(&own).local(), &own);
  const auto mine = new_<int>(rank());
  const auto theirs = of_rank(next_rank(), mine);
  if (int* here = theirs.local()) {
    EXPECT_EQ(*here, next_rank());
  }
  const transport::Memory& memory = runtime::Rank::current().transport.memory();
  EXPECT_EQ(theirs.local() != nullptr, memory.shares(next_rank()));
  barrier();
  delete_(mine);
}

TEST_F(GlobalPtrTest, nothing_is_written_or_read_without_a_place) {
  std::uint64_t mine = 0;
  const auto counter = of_rank(next_rank(), global_ptr(&mine));
  const GlobalPtr<int> nowhere(next_rank(), nullptr);
  nowhere.nwrite(nullptr, 0);
  nowhere.nread(nullptr, 0);
  nowhere.nwrite_async(nullptr, 0).get();
  nowhere.nread_async(nullptr, 0).get();
  nowhere.nwrite_signal(nullptr, 0, counter);
  wait_signal(&mine, 1);
  barrier();
}

TEST_F(GlobalPtrTest, null_and_foreign_pointers_are_errors) {
  const GlobalPtr<int> null;
  EXPECT_TRUE(null.is_null());
  EXPECT_FALSE(null);
  const auto say_null = [](const std::string& text) { return contains(text, "pointer is null"); };
  EXPECT_TRUE(say_null(error_of([&] { null.read(); })));
  EXPECT_TRUE(say_null(error_of([&] { null.write(1); })));
  EXPECT_TRUE(say_null(error_of([&] { null.read_async().get(); })));
  EXPECT_TRUE(say_null(error_of([&] { null.write_async(1).get(); })));
  EXPECT_TRUE(say_null(error_of([&] { null.fetch_add(1); })));
  EXPECT_TRUE(say_null(error_of([&] { static_cast<void>(null.local()); })));
  EXPECT_TRUE(say_null(error_of([&] { null.nread_strided(nullptr, 1, 1, 1, 1); })));
  std::uint64_t word = 0;
  EXPECT_TRUE(say_null(
      error_of([&] { global_ptr(&word).nwrite_signal(&word, 1, GlobalPtr<std::uint64_t>()); })));
  int own = 0;
  const GlobalPtr<int> foreign(size() + 5, &own);
  const std::string text = error_of([&] { foreign.write(2); });
  EXPECT_TRUE(contains(text, "rank " + std::to_string(size() + 5) + " does not exist")) << text;
  EXPECT_TRUE(contains(error_of([&] { foreign.read(); }), "does not exist"));
  const auto elsewhere = of_rank(next_rank(), global_ptr(&word));
  if (size() > 1) {
    EXPECT_TRUE(contains(error_of([&] { elsewhere.nwrite_signal(&word, 1, global_ptr(&word)); }),
                         "same rank"));
  }
  barrier();
}

TEST_F(GlobalPtrTest, sizes_that_wrap_around_are_errors) {
  static double own[2] = {};
  const auto pointers = allgather(global_ptr(own));
  const auto there = pointers[static_cast<std::size_t>(next_rank())];
  const auto heap = new_array<char>(10);
  const auto theirs = allgather(heap)[static_cast<std::size_t>(next_rank())];
  const auto buffer = new_array<char>(16);
  char* const text = buffer.raw();
  auto* const two = reinterpret_cast<double*>(text);
  volatile std::size_t wraps = std::size_t{1} << 61;
  volatile std::size_t minus_one = static_cast<std::size_t>(-1);  // compilers see constants
  const std::string expected = "has no memory of";
  EXPECT_TRUE(contains(error_of([&] { there.nread(two, wraps); }), expected));
  EXPECT_TRUE(contains(error_of([&] { there.nwrite(two, wraps); }), expected));
  EXPECT_TRUE(contains(error_of([&] { theirs.nread(text, minus_one); }), expected));
  EXPECT_TRUE(contains(error_of([&] { theirs.nwrite(text, minus_one); }), expected));
  EXPECT_TRUE(contains(error_of([&] { theirs.nread_async(text, minus_one).get(); }), expected));
  EXPECT_TRUE(contains(error_of([&] { theirs.nwrite_async(text, minus_one).get(); }), expected));
  barrier();
  delete_(heap);
  delete_(buffer);
}

TEST_F(GlobalPtrTest, an_address_that_does_not_exist_is_an_error_where_the_kernel_copies) {
  const GlobalPtr<int> wild(next_rank(), reinterpret_cast<int*>(std::uintptr_t{4096}));
  if (size() == 1) return;
  if (!runtime::Rank::current().transport.capabilities().reads_private) return;
  EXPECT_TRUE(contains(error_of([&] { wild.write(1); }), "has no"));
  EXPECT_TRUE(contains(error_of([&] { wild.read(); }), "has no"));
}

}  // namespace
}  // namespace tasuki::test
