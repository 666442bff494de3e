#include "mpi/ahead/pages.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "fresh_memory.hpp"

namespace tasuki::mpi::ahead {
namespace {

constexpr std::size_t bytes = 4 * static_cast<std::size_t>(Pages::least_bytes);

std::int64_t touch_all(Pages pages) {
  std::int64_t touched_bytes = 0;
  while (!pages.is_empty()) touched_bytes += pages.touch_next();
  return touched_bytes;
}

TEST(Pages, TouchesThoseInsideTheMessage) {
  const FreshMemory memory(bytes);
  const std::int64_t page = ::sysconf(_SC_PAGESIZE);
  EXPECT_EQ(touch_all(Pages(memory.begin() + 1, Pages::least_bytes + page)), Pages::least_bytes);
  EXPECT_FALSE(memory.is_there(0)) << "it begins before the message";
  EXPECT_TRUE(memory.is_there(page));
  EXPECT_TRUE(memory.is_there(Pages::least_bytes));
  EXPECT_FALSE(memory.is_there(Pages::least_bytes + page)) << "it ends after the message";
}

TEST(Pages, AreNoneOfAShortMessage) {
  const FreshMemory memory(bytes);
  EXPECT_TRUE(Pages(memory.begin(), Pages::least_bytes - 1).is_empty());
  EXPECT_TRUE(Pages().is_empty());
}

TEST(Pages, OfABufferThatWasUsedStayAsTheyAre) {
  const FreshMemory memory(bytes);
  std::memset(memory.begin(), 7, 1);
  EXPECT_EQ(touch_all(Pages(memory.begin(), bytes)), 0);
  EXPECT_FALSE(memory.is_there(Pages::least_bytes));
  EXPECT_EQ(*memory.begin(), 7);
}

TEST(Pages, ThatCannotBeWrittenAreLeftAlone) {
  const FreshMemory memory(bytes, PROT_READ);
  EXPECT_EQ(touch_all(Pages(memory.begin(), bytes)), 0);
  const FreshMemory hidden(bytes, PROT_NONE);
  EXPECT_EQ(touch_all(Pages(hidden.begin(), bytes)), 0);
}

}  // namespace
}  // namespace tasuki::mpi::ahead
