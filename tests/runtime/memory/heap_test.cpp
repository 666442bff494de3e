#include <sys/resource.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <tasuki/detail/base/sanitizers.hpp>
#include <vector>

#include "support/rank_test.hpp"

namespace tasuki::test {
namespace {

using HeapTest = RankTest;

struct Noted {
  explicit Noted(int* to) : count(to) { ++*count; }
  ~Noted() { --*count; }
  int* count;
};

TEST_F(HeapTest, objects_are_made_and_destroyed) {
  int live_count = 0;
  const auto pointer = new_<Noted>(&live_count);
  EXPECT_EQ(pointer.rank(), rank());
  EXPECT_EQ(live_count, 1);
  delete_(pointer);
  EXPECT_EQ(live_count, 0);
  const auto text = new_<std::string>(1000, 'x');
  EXPECT_EQ(text.raw()->size(), 1000U);
  delete_(text);
  delete_(GlobalPtr<int>());  // like delete nullptr
}

TEST_F(HeapTest, arrays_are_value_initialised_and_destroyed_whole) {
  const auto words = new_array<std::uint64_t>(1000);
  for (std::size_t i = 0; i < 1000; ++i) words.raw()[i] = ~std::uint64_t{0};
  delete_(words);
  const auto again = new_array<std::uint64_t>(1000);
  for (std::size_t i = 0; i < 1000; ++i) EXPECT_EQ(again.raw()[i], 0U);
  delete_(again);
  static int live_count;
  live_count = 0;
  struct Counted {
    Counted() { ++live_count; }
    ~Counted() { --live_count; }
  };
  const auto row = new_array<Counted>(17);
  EXPECT_EQ(live_count, 17);
  delete_(row);
  EXPECT_EQ(live_count, 0);
  delete_(new_array<int>(0));
}

TEST_F(HeapTest, alignment_is_kept) {
  struct alignas(256) Wide {
    char bytes[256];
  };
  for (int i = 0; i < 10; ++i) {
    const auto odd = new_array<char>(static_cast<std::size_t>(i) * 7 + 1);
    const auto wide = new_<Wide>();
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(wide.raw()) % 256, 0U);
    delete_(wide);
    delete_(odd);
  }
}

TEST_F(HeapTest, a_constructor_that_throws_leaves_nothing) {
  struct Refuses {
    explicit Refuses(int) { throw std::runtime_error("no"); }
  };
  for (int i = 0; i < 1000; ++i) EXPECT_THROW(new_<Refuses>(i), std::runtime_error);
}

TEST_F(HeapTest, it_grows_while_addresses_stay) {
  constexpr std::size_t block = 300'000;
  std::vector<GlobalPtr<std::uint64_t>> blocks;
  for (std::uint64_t i = 0; i < 16; ++i) {
    blocks.push_back(new_array<std::uint64_t>(block));
    blocks.back().raw()[0] = i;
    blocks.back().raw()[block - 1] = i;
  }
  // Peers reach memory that came to be after they had started.
  const auto theirs = allgather(blocks.back())[static_cast<std::size_t>(next_rank())];
  EXPECT_EQ((theirs + (block - 1)).read(), 15U);
  theirs.write(100);
  barrier();
  EXPECT_EQ(blocks.back().raw()[0], 100U);
  for (std::uint64_t i = 0; i < 16; ++i) {
    EXPECT_EQ(blocks[i].raw()[block - 1], i);
    delete_(blocks[i]);
  }
  barrier();
}

TEST_F(HeapTest, freed_memory_is_used_again) {
  const auto& segment = runtime::Rank::current().transport.memory().heap();
  for (int i = 0; i < 10; ++i) delete_(new_array<char>(5'000'000));
  const std::size_t committed_bytes = segment.committed_bytes;
  for (int i = 0; i < 20; ++i) delete_(new_array<char>(5'000'000));
  EXPECT_EQ(segment.committed_bytes, committed_bytes);
}

TEST_F(HeapTest, more_than_the_reserve_is_an_error_and_the_heap_lives_on) {
  const std::string text = error_of([] { new_array<char>(std::size_t{1} << 45U); });
  EXPECT_TRUE(contains(text, "allocating in the shared heap")) << text;
  EXPECT_TRUE(contains(text, "TASUKI_HEAP_MAX_BYTES")) << text;
  EXPECT_TRUE(contains(error_of([] { new_array<std::uint64_t>(SIZE_MAX / 4); }),
                       "allocating in the shared heap"));
  delete_(new_<int>(1));
}

TEST_F(HeapTest, a_machine_without_memory_is_no_heap_at_its_limit) {
  // Where the heap is the process's own memory, a limit of the process stands for the machine's.
  if (!is_loopback()) GTEST_SKIP() << "the heap is shared memory";
#ifdef TASUKI_ASAN
  GTEST_SKIP() << "the sanitizer itself needs more than the limit";
#endif
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_DATA, &before), 0);
  const rlimit tight{64u << 20, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_DATA, &tight), 0);
  const std::string text = error_of([] { new_array<char>(std::size_t{1} << 30); });
  ::setrlimit(RLIMIT_DATA, &before);
  EXPECT_TRUE(contains(text, "the machine, or what holds the job's memory, has no more")) << text;
  EXPECT_TRUE(contains(text, "/dev/shm")) << text;
  EXPECT_FALSE(contains(text, "raise TASUKI_HEAP_MAX_BYTES")) << text;
}

TEST_F(HeapTest, other_ranks_may_delete) {
  const auto mine = new_<std::string>("text");
  const auto theirs = allgather(mine)[static_cast<std::size_t>(next_rank())];
  delete_(theirs);
  barrier();
  EXPECT_TRUE(contains(error_of([&] { delete_(mine); }), "or was deleted"));
}

TEST_F(HeapTest, deleting_twice_or_what_is_no_heap_object_is_an_error) {
  const auto once = new_<long>(1);
  delete_(once);
  EXPECT_TRUE(contains(error_of([&] { delete_(once); }), "not an object made by new_"));
  long on_stack = 0;
  EXPECT_TRUE(contains(error_of([&] { delete_(global_ptr(&on_stack)); }), "not an object"));
  const auto row = new_array<long>(10);
  EXPECT_TRUE(contains(error_of([&] { delete_(row + 3); }), "not an object made by new_"));
  delete_(row);
}

TEST_F(HeapTest, others_hear_about_a_wrong_delete) {
  const auto once = new_<int>(1);
  const auto theirs = allgather(once)[static_cast<std::size_t>(next_rank())];
  barrier();
  delete_(once);
  barrier();
  EXPECT_TRUE(contains(error_of([&] { delete_(theirs); }), "or was deleted"));
}

}  // namespace
}  // namespace tasuki::test
