// A write that finds no memory throws; what was counted for it is taken back, so that fences and
// the end of the job do not wait for it.
#include <gtest/gtest.h>

#include <cstdint>
#include <new>
#include <tasuki/tasuki.hpp>
#include <vector>

#include "support/thread_job.hpp"

namespace tasuki::test {
namespace {

TEST(FailedPutTest, FencesAndTheEndOfTheJobDoNotWaitForIt) {
  run_threads(2, [] {
    std::vector<std::uint64_t> mine(1024);  // Private and long: writes to it are announced.
    const auto theirs = allgather(
        GlobalPtr<std::uint64_t>(rank(), mine.data()))[static_cast<std::size_t>(1 - rank())];
    const std::vector<std::uint64_t> data(mine.size(), 7);
    fail_next_bulk();
    EXPECT_THROW(theirs.nwrite(data.data(), data.size()), std::bad_alloc);
    fail_next_bulk();
    EXPECT_THROW(static_cast<void>(theirs.nwrite_async(data.data(), data.size())), std::bad_alloc);
    fence();
    quiesce();
    EXPECT_EQ(mine.front(), 0u);
    barrier();
    theirs.nwrite(data.data(), data.size());
    fence();
    barrier();
    EXPECT_EQ(mine, data);
  });
}

/// What a rank sends by `send` finds no memory.
template <class Send>
void expect_failure(Send send) {
  flush();  // so that `send` begins a message
  fail_next_message();
  EXPECT_THROW(send(), std::bad_alloc);
}

TEST(FailedPutTest, ShortWritesReadsAndFencesAreTakenBack) {
  run_threads(2, [] {
    std::vector<std::uint64_t> mine(1024);
    const auto theirs = allgather(
        GlobalPtr<std::uint64_t>(rank(), mine.data()))[static_cast<std::size_t>(1 - rank())];
    const std::uint64_t seven = 7;
    expect_failure([&] { theirs.nwrite(&seven, 1); });
    expect_failure([&] { static_cast<void>(theirs.nwrite_async(&seven, 1)); });
    expect_failure([&] { static_cast<void>(theirs.read()); });
    fence();
    quiesce();
    EXPECT_EQ(mine.front(), 0u);
    barrier();
    theirs.nwrite(&seven, 1);
    expect_failure([] { fence(); });
    const std::vector<std::uint64_t> data(mine.size(), 8);
    theirs.nwrite(data.data(), data.size());  // does not wait for the fence that failed
    fence();
    barrier();
    EXPECT_EQ(mine, data);
  });
}

}  // namespace
}  // namespace tasuki::test
