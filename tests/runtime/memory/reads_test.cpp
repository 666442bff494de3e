#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "runtime/calls/dispatcher.hpp"
#include "runtime/memory/heap_check.hpp"
#include "support/rank_test.hpp"

namespace tasuki::test {
namespace {

using ReadsTest = RankTest;

std::uint64_t value_at(int rank, std::size_t index) {
  return 1'000'000 * static_cast<std::uint64_t>(rank + 1) + index;
}

/// Private memory of each rank, as the rank before it sees it.
struct Words {
  explicit Words(std::size_t count) : own(count) {
    for (std::size_t i = 0; i < count; ++i) own[i] = value_at(rank(), i);
    theirs = allgather(global_ptr(own.data()))[static_cast<std::size_t>(next_rank())];
  }
  ~Words() { barrier(); }
  Words(const Words&) = delete;
  Words& operator=(const Words&) = delete;

  GlobalPtr<std::uint64_t> at(std::size_t index) const {
    return theirs + static_cast<std::ptrdiff_t>(index);
  }

  std::vector<std::uint64_t> own;
  GlobalPtr<std::uint64_t> theirs;
};

TEST_F(ReadsTest, many_short_reads_take_few_records) {
  constexpr std::size_t count = 10'000;
  const Words words(count);
  std::vector<std::uint64_t> values(count);
  std::vector<Future<void>> reads;
  const runtime::Dispatcher& dispatcher = *runtime::Rank::current().dispatcher;
  const std::uint64_t records_before = dispatcher.records_handled();
  for (std::size_t i = 0; i < count; ++i) {
    reads.push_back(words.at(i * 7919 % count).nread_async(&values[i], 1));
  }
  for (auto& read : reads) read.get();
  const std::uint64_t records_count = dispatcher.records_handled() - records_before;
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_EQ(values[i], value_at(next_rank(), i * 7919 % count));
  }
  // Where pointers are checked, each read is a record of its own.
  if (!runtime::heap_is_checked) {
    EXPECT_LT(records_count, count / 10);
  }
}

TEST_F(ReadsTest, reads_of_all_lengths_are_mixed) {
  constexpr std::size_t count = 3'000;
  const Words words(count);
  const GlobalPtr<std::byte> bytes_there(next_rank(),
                                         reinterpret_cast<std::byte*>(words.theirs.raw()));
  std::vector<std::vector<std::byte>> parts;
  std::vector<Future<void>> reads;
  for (std::size_t i = 0; i < 2'000; ++i) {
    // Twice of each length, so that some follow one of their own length.
    const std::size_t bytes = 1 + i / 2 * 37 % 5'000;
    parts.emplace_back(bytes);
    const auto from = bytes_there + static_cast<std::ptrdiff_t>(i * 5);
    reads.push_back(from.nread_async(parts.back().data(), bytes));
  }
  for (auto& read : reads) read.get();
  std::vector<std::uint64_t> expected(count);
  for (std::size_t i = 0; i < count; ++i) expected[i] = value_at(next_rank(), i);
  const auto all = std::as_bytes(std::span(expected));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto part = all.subspan(i * 5, parts[i].size());
    EXPECT_TRUE(std::equal(part.begin(), part.end(), parts[i].begin())) << "read " << i;
  }
}

TEST_F(ReadsTest, each_read_has_a_future_of_its_own) {
  constexpr std::size_t count = 500;
  const Words words(count);
  std::vector<std::uint64_t> values(count);
  std::vector<Future<void>> reads;
  std::size_t continued_count = 0;
  for (std::size_t i = 0; i < count; ++i) {
    auto read = words.at(i).nread_async(&values[i], 1);
    if (i % 3 == 0) {
      reads.push_back(std::move(read).then([&continued_count] {
        invoke(next_rank(), [] {});  // leaves those behind it to the poller
        ++continued_count;
      }));
    } else if (i % 3 == 1) {
      reads.push_back(std::move(read));
    }  // The others are dropped.
  }
  quiesce();
  for (auto read = reads.rbegin(); read != reads.rend(); ++read) read->get();
  EXPECT_EQ(continued_count, (count + 2) / 3);
  for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(values[i], value_at(next_rank(), i));
}

TEST_F(ReadsTest, calls_may_come_between_reads) {
  constexpr std::size_t count = 2'000;
  const Words words(count);
  std::vector<std::uint64_t> values(count);
  std::size_t calls_count = 0;
  const auto counts = allgather(as_address(&calls_count));
  const auto there = counts[static_cast<std::size_t>(next_rank())];
  for (std::size_t i = 0; i < count; ++i) {
    static_cast<void>(words.at(i).nread_async(&values[i], 1));
    if (i % 4 == 0)
      post(
          next_rank(), [](Address<std::size_t> calls) { ++*calls.pointer; }, there);
  }
  quiesce();
  EXPECT_EQ(calls_count, count / 4);
  for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(values[i], value_at(next_rank(), i));
}

}  // namespace
}  // namespace tasuki::test
