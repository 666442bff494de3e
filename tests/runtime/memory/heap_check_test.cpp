#ifdef TASUKI_DEBUG

#include <sys/mman.h>

#include <vector>

#include "runtime/memory/heap_check.hpp"
#include "support/rank_test.hpp"

namespace tasuki::test {
namespace {

using HeapCheckTest = RankTest;

bool says_freed(const std::string& text) {
  return contains(text, "were freed or never allocated") &&
         contains(text, "do not use a global pointer after delete_");
}

TEST_F(HeapCheckTest, reading_after_delete_is_an_error_on_every_rank) {
  const auto mine = new_array<int>(100);
  const auto all = allgather(mine);
  const auto theirs = all[static_cast<std::size_t>(next_rank())];
  EXPECT_EQ((theirs + 99).read(), 0);
  barrier();
  delete_(mine);
  barrier();
  EXPECT_TRUE(says_freed(error_of([&] { theirs.read(); })));
  EXPECT_TRUE(says_freed(error_of([&] { mine.read(); })));
  EXPECT_TRUE(says_freed(error_of([&] { (theirs + 50).read_async().get(); })));
  std::vector<int> copy(100);
  EXPECT_TRUE(says_freed(error_of([&] { theirs.nread(copy.data(), 100); })));
  EXPECT_TRUE(says_freed(error_of([&] { mine.write(1); })));
  EXPECT_TRUE(says_freed(error_of([&] { static_cast<void>(mine.local()); })));
  // Only where this rank addresses that heap is a write checked before it is sent.
  transport::Transport& transport = runtime::Rank::current().transport;
  if (transport.memory().shares(next_rank())) {
    EXPECT_TRUE(says_freed(error_of([&] { theirs.write(1); })));
    EXPECT_TRUE(says_freed(error_of([&] { theirs.fetch_add(1); })));
  }
  barrier();
}

TEST_F(HeapCheckTest, so_is_what_lies_beyond_the_end_of_an_array) {
  const auto mine = new_array<std::uint64_t>(1000);
  const auto theirs = allgather(mine)[static_cast<std::size_t>(next_rank())];
  std::vector<std::uint64_t> copy(2000);
  theirs.nread(copy.data(), 1000);
  EXPECT_TRUE(says_freed(error_of([&] { theirs.nread(copy.data(), 1002); })));
  EXPECT_TRUE(says_freed(error_of([&] { (theirs - 2).read(); })));
  barrier();
  delete_(mine);
}

/// Maps `bytes` behind this rank's heap, in what a debug build could watch of a longer one.
std::byte* map_behind_the_heap(std::size_t bytes) {
  const transport::HeapSegment& heap = runtime::Rank::current().transport.memory().heap();
  std::size_t offset = heap.reserved_bytes;
  do {  // The heaps of other ranks may come first; behind a long heap any place will do.
    const int fixed = offset < runtime::heap_watched_bytes ? MAP_FIXED_NOREPLACE : 0;
    void* const place = ::mmap(heap.base + offset, bytes, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | fixed, -1, 0);
    if (place != MAP_FAILED) return static_cast<std::byte*>(place);
    offset += 1 << 20;
  } while (offset < runtime::heap_watched_bytes);
  ADD_FAILURE() << "everything behind the heap is in use";
  return nullptr;
}

TEST_F(HeapCheckTest, memory_behind_a_short_heap_may_be_written_to) {
  constexpr std::size_t bytes = 1 << 16;
  std::byte* const place = map_behind_the_heap(bytes);
  ASSERT_NE(place, nullptr);
  const auto mine = global_ptr(place);
  const auto theirs = allgather(mine)[static_cast<std::size_t>(next_rank())];
  const std::vector<std::byte> data(bytes, std::byte{7});
  theirs.nwrite(data.data(), data.size());
  barrier();
  EXPECT_EQ(place[bytes - 1], std::byte{7});
  mine.nwrite(data.data(), data.size());
  barrier();
  ::munmap(place, bytes);
}

TEST_F(HeapCheckTest, memory_that_is_used_again_is_live_again) {
  const auto before = new_array<char>(100'000);
  delete_(before);
  const auto after = new_array<char>(100'000);
  const auto theirs = allgather(after)[static_cast<std::size_t>(next_rank())];
  EXPECT_EQ((theirs + 99'999).read(), 0);
  barrier();
  delete_(after);
}

TEST_F(HeapCheckTest, private_memory_is_not_watched) {
  int own = rank();
  const auto theirs = allgather(global_ptr(&own))[static_cast<std::size_t>(next_rank())];
  EXPECT_EQ(theirs.read(), next_rank());
  barrier();
}

}  // namespace
}  // namespace tasuki::test

#endif
