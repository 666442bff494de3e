#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "support/rank_test.hpp"

namespace tasuki::test {
namespace {

using AtomicOperationsTest = RankTest;

/// A word of each rank, in the heap or in private memory, as the next rank sees it.
template <class T>
struct Words {
  explicit Words(bool in_heap) : heap(in_heap ? new_<T>() : GlobalPtr<T>()) {
    const std::vector all = allgather(in_heap ? heap : global_ptr(&own));
    mine = all[static_cast<std::size_t>(rank())].raw();
    theirs = all[static_cast<std::size_t>(next_rank())];
    first = all[0];
  }
  ~Words() { delete_(heap); }
  Words(const Words&) = delete;
  Words& operator=(const Words&) = delete;

  alignas(8) T own{};
  GlobalPtr<T> heap;
  T* mine;
  GlobalPtr<T> theirs;
  GlobalPtr<T> first;  ///< That of rank 0.
};

/// Does an operation in its three forms to a word that holds `before`, and compares with `after`.
template <class T, class Fetch, class FetchAsync, class Update>
void expect_forms(GlobalPtr<T> word, T before, T after, Fetch fetch, FetchAsync fetch_async,
                  Update update) {
  word.store(before);
  EXPECT_EQ(fetch(), before);
  EXPECT_EQ(word.load(), after);
  word.store(before);
  Future<T> found = fetch_async();
  EXPECT_EQ(found.get(), before);
  EXPECT_EQ(word.swap(before), after);
  update();
  EXPECT_EQ(word.load_async().get(), after);
}

template <class T>
void expect_number_operations(bool in_heap) {
  const Words<T> words(in_heap);
  const GlobalPtr<T> word = words.theirs;
  for (const auto& [before, value] : {std::pair<T, T>{5, 3}, {3, 5}, {4, 4}}) {
    const T given = value;
    expect_forms<T>(
        word, before, static_cast<T>(before + given), [&] { return word.fetch_add(given); },
        [&] { return word.fetch_add_async(given); }, [&] { word.add(given); });
    expect_forms<T>(
        word, before, std::min(before, given), [&] { return word.fetch_min(given); },
        [&] { return word.fetch_min_async(given); }, [&] { word.min(given); });
    expect_forms<T>(
        word, before, std::max(before, given), [&] { return word.fetch_max(given); },
        [&] { return word.fetch_max_async(given); }, [&] { word.max(given); });
    expect_forms<T>(
        word, before, given, [&] { return word.swap(given); },
        [&] { return word.swap_async(given); }, [&] { word.store(given); });
    const T desired = 9;
    expect_forms<T>(
        word, before, before == given ? desired : before,
        [&] { return word.compare_exchange(given, desired); },
        [&] { return word.compare_exchange_async(given, desired); },
        [&] { word.store_if(given, desired); });
  }
  barrier();
}

template <class T>
void expect_bit_operations(bool in_heap) {
  const Words<T> words(in_heap);
  const GlobalPtr<T> word = words.theirs;
  const T before = 12;
  const T given = 10;
  expect_forms<T>(
      word, before, T{8}, [&] { return word.fetch_and(given); },
      [&] { return word.fetch_and_async(given); }, [&] { word.bit_and(given); });
  expect_forms<T>(
      word, before, T{14}, [&] { return word.fetch_or(given); },
      [&] { return word.fetch_or_async(given); }, [&] { word.bit_or(given); });
  expect_forms<T>(
      word, before, T{6}, [&] { return word.fetch_xor(given); },
      [&] { return word.fetch_xor_async(given); }, [&] { word.bit_xor(given); });
  barrier();
}

TEST_F(AtomicOperationsTest, three_forms_of_each_operation_on_numbers) {
  for (const bool in_heap : {true, false}) {
    expect_number_operations<std::int32_t>(in_heap);
    expect_number_operations<std::uint32_t>(in_heap);
    expect_number_operations<std::int64_t>(in_heap);
    expect_number_operations<std::uint64_t>(in_heap);
    expect_number_operations<float>(in_heap);
    expect_number_operations<double>(in_heap);
  }
}

TEST_F(AtomicOperationsTest, three_forms_of_each_operation_on_bits) {
  for (const bool in_heap : {true, false}) {
    expect_bit_operations<std::int32_t>(in_heap);
    expect_bit_operations<std::uint64_t>(in_heap);
  }
}

TEST_F(AtomicOperationsTest, operations_of_all_ranks_on_one_word_are_all_done) {
  constexpr int rounds = 5'000;
  for (const bool in_heap : {true, false}) {
    const Words<std::int64_t> sums(in_heap);
    const Words<double> largest(in_heap);
    const Words<std::uint64_t> bits(in_heap);
    for (int i = 0; i < rounds; ++i) {
      sums.first.add(i);
      largest.first.max(i + rank());
      bits.first.bit_xor(1U << static_cast<unsigned>(rank()));
    }
    barrier();
    EXPECT_EQ(sums.first.load(), std::int64_t{rounds} * (rounds - 1) / 2 * size());
    EXPECT_EQ(largest.first.load(), rounds - 1 + size() - 1);
    EXPECT_EQ(bits.first.load(), 0U);  // an even number of times
    barrier();
  }
}

TEST_F(AtomicOperationsTest, operations_of_one_rank_on_one_word_keep_their_order) {
  for (const bool in_heap : {true, false}) {
    const Words<std::uint64_t> words(in_heap);
    std::vector<Future<std::uint64_t>> found;
    for (std::uint64_t i = 0; i < 1000; ++i) {
      words.theirs.store(3 * i);
      words.theirs.add(1);
      found.push_back(words.theirs.fetch_add_async(1));
      words.theirs.store_if(3 * i + 2, 7);
    }
    for (std::uint64_t i = 0; i < 1000; ++i) EXPECT_EQ(found[i].get(), 3 * i + 1);
    EXPECT_EQ(words.theirs.load(), 7U);
    barrier();
  }
}

TEST_F(AtomicOperationsTest, a_fence_waits_for_what_fetches_nothing) {
  const auto load_here = [](GlobalPtr<std::uint64_t> word) { return *word.raw(); };
  for (const bool in_heap : {true, false}) {
    const Words<std::uint64_t> words(in_heap);
    for (std::uint64_t round = 1; round <= 50; ++round) {
      for (std::uint64_t i = 0; i < 30 * round; ++i) words.theirs.add(1);
      fence();
      EXPECT_EQ(invoke(next_rank(), load_here, words.theirs), 15 * round * (round + 1));
    }
    barrier();
  }
}

TEST_F(AtomicOperationsTest, a_call_sees_those_made_before_it) {
  const auto expect_at_least = [](GlobalPtr<std::uint64_t> word, std::uint64_t value) {
    EXPECT_GE(*word.raw(), value);
  };
  for (const bool in_heap : {true, false}) {
    const Words<std::uint64_t> words(in_heap);
    for (std::uint64_t i = 1; i <= 500; ++i) {
      words.theirs.add(1);
      post(next_rank(), expect_at_least, words.theirs, i);
    }
    quiesce();
    EXPECT_EQ(*words.mine, 500U);
    barrier();
  }
}

TEST_F(AtomicOperationsTest, quiesce_waits_for_those_of_calls) {
  for (const bool in_heap : {true, false}) {
    const Words<std::uint64_t> words(in_heap);
    const auto add_there = [](GlobalPtr<std::uint64_t> word) { word.add(1); };
    for (int i = 0; i < 2'000; ++i) post((rank() + i) % size(), add_there, words.first);
    quiesce();
    EXPECT_EQ(words.first.load(), 2'000U * static_cast<unsigned>(size()));
    barrier();
  }
}

TEST_F(AtomicOperationsTest, elements_of_an_array_have_them_too) {
  constexpr std::ptrdiff_t count = 64;
  const auto tables = new_array<std::int64_t>(count, world_team());
  const auto mine = tables[static_cast<std::size_t>(rank())];
  for (int i = 0; i < 640; ++i) {
    const auto table = tables[static_cast<std::size_t>((rank() + i) % size())];
    table[i % count].add(i);
  }
  barrier();
  std::int64_t sum = 0;
  for (std::ptrdiff_t i = 0; i < count; ++i) sum += mine[i].fetch_add(1);
  EXPECT_EQ(allreduce(sum, Sum{}), std::int64_t{640} * 639 / 2 * size());
  const std::int64_t before = mine.raw()[0];
  EXPECT_EQ((*mine).swap(5), before);
  EXPECT_EQ(mine[0].compare_exchange(5, 6), 5);
  EXPECT_EQ(mine[0].load(), 6);
  barrier();
  delete_(mine);
}

TEST_F(AtomicOperationsTest, null_and_foreign_pointers_are_errors) {
  const GlobalPtr<int> null;
  const std::string is_null = "the global pointer is null";
  EXPECT_TRUE(contains(error_of([&] { null.add(1); }), is_null));
  EXPECT_TRUE(contains(error_of([&] { null.fetch_add(1); }), is_null));
  EXPECT_TRUE(contains(error_of([&] { null.fetch_add_async(1).get(); }), is_null));
  alignas(8) int variable = 0;
  const GlobalPtr<int> nowhere(size(), &variable);
  EXPECT_TRUE(contains(error_of([&] { nowhere.store(1); }), "remote atomic"));
}

}  // namespace
}  // namespace tasuki::test
