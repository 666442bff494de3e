// Litmus tests of what ranks see of each other's plain stores: fences, writes that signal, and the
// barriers of flags. Ranks are threads, so that the thread sanitizer can tell what is not ordered.
#include <gtest/gtest.h>

#include <cstdint>
#include <tasuki/detail/base/sanitizers.hpp>
#include <tasuki/detail/coll/registry.hpp>
#include <tasuki/tasuki.hpp>
#include <vector>

#include "runtime/collectives/rank_collectives.hpp"
#include "support/meeting.hpp"
#include "support/thread_job.hpp"

namespace tasuki::test {
namespace {

using Word = GlobalPtr<std::uint64_t>;

/// Two ranks alternately write to each other: one does `tell(data, flag, round)`, with the other's
/// data of so many words and its flag, the other `hear(data, flag, round)` with its own.
template <class Tell, class Hear>
void pass_messages(std::size_t words, Tell tell, Hear hear) {
  run_threads(2, [=] {
    constexpr std::uint64_t rounds = 20'000;
    const auto data = new_array<std::uint64_t>(words);
    const auto flag = new_<std::uint64_t>(0);
    const auto all_data = allgather(data);
    const auto flags = allgather(flag);
    const auto other = static_cast<std::size_t>(1 - rank());
    for (std::uint64_t round = 1; round <= rounds; ++round) {
      if (static_cast<int>(round % 2) == rank()) {
        tell(all_data[other], flags[other], round);
      } else {
        hear(data, flag, round);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
    barrier();
  });
}

#ifndef TASUKI_TSAN  // It does not model fences, and would call these plain accesses a race.

constexpr std::ptrdiff_t words_per_line = 16;  // two lines, for pairs are fetched together

/// Store buffering (Dekker): each writes to the other, fences and reads its own. Reading 0 twice
/// would say that both reads came before both writes.
TEST(LitmusTest, NoReadBehindAFenceComesBeforeAWriteBeforeIt) {
  constexpr std::uint64_t rounds = 100'000;
  Meeting begin;
  std::vector<char> seen[2] = {std::vector<char>(rounds), std::vector<char>(rounds)};
  run_threads(2, [&] {
    const auto mine = new_array<std::uint64_t>(rounds * words_per_line);
    const auto theirs = allgather(mine)[static_cast<std::size_t>(1 - rank())];
    theirs.write(0);  // from here on it is known where that is
    barrier();
    for (std::uint64_t round = 0; round < rounds; ++round) {
      const auto offset = static_cast<std::ptrdiff_t>(round) * words_per_line;
      begin.come(round + 1);
      (theirs + offset).write(1);
      fence();
      seen[rank()][round] = (mine + offset).read() != 0;
    }
    barrier();
  });
  int missed_count = 0;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    if (seen[0][round] == 0 && seen[1][round] == 0) ++missed_count;
  }
  EXPECT_EQ(missed_count, 0);
}

/// Message passing by plain accesses alone. On x86, also where it emulates another processor, only
/// the compiler could exchange the writes.
TEST(LitmusTest, PlainWritesOnBothSidesOfAFenceAreSeenInTheirOrder) {
  pass_messages(
      1,
      [](Word data, Word flag, std::uint64_t round) {
        data.write(round);
        fence();
        flag.write(round);
      },
      [](Word data, Word flag, std::uint64_t round) {
        while (flag.read() != round) yield();
        fence();
        ASSERT_EQ(data.read(), round);
      });
}

#endif

/// Message passing by a flag that is atomic: who sees the flag sees the data that were written
/// before the fence.
TEST(LitmusTest, WritesBeforeAFenceAreSeenBeforeThoseBehindIt) {
  constexpr std::size_t words = 24;
  pass_messages(
      words,
      [](Word data, Word flag, std::uint64_t round) {
        const std::vector<std::uint64_t> values(words, round);
        data.nwrite(values.data(), words);
        fence();
        flag.swap(round);
      },
      [](Word data, Word flag, std::uint64_t round) {
        while (flag.fetch_add(0) != round) yield();
        for (std::size_t i = 0; i < words; ++i) ASSERT_EQ(data.raw()[i], round);
      });
}

TEST(LitmusTest, WhoSeesTheSignalSeesTheData) {
  constexpr std::uint64_t rounds = 20'000;
  run_threads(2, [] {
    for (const std::size_t words : {1U, 7U, 300U}) {
      const auto data = new_array<std::uint64_t>(words);
      const auto signal = new_<std::uint64_t>(0);
      const auto all_data = allgather(data);
      const auto signals = allgather(signal);
      const auto other = static_cast<std::size_t>(1 - rank());
      for (std::uint64_t round = 1; round <= rounds / words; ++round) {
        if (static_cast<int>(round % 2) == rank()) {
          const std::vector<std::uint64_t> values(words, round);
          all_data[other].nwrite_signal(values.data(), words, signals[other], 2);
        } else {
          wait_signal(signal.raw(), round + (rank() == 0 ? 1 : 0));
          for (std::size_t i = 0; i < words; ++i) ASSERT_EQ(data.raw()[i], round);
        }
      }
      barrier();
    }
  });
}

/// Each rank writes to the next one before the barrier, by plain stores, and reads behind it.
void expect_order(const coll::AlgorithmDescriptor& algorithm, int rounds) {
  node::FlagBarrier& flags =
      runtime::Rank::current().collectives->node_memory().world_segment()->barrier;
  const auto& way = std::get<coll::InNodeMemory>(algorithm.way);
  const auto function = std::get<node::BarrierFunction>(way.function->call);
  const auto cross = [&] { (flags.*function)(); };
  const auto mine = new_<int>(0);
  const auto next = allgather(mine)[static_cast<std::size_t>((rank() + 1) % size())];
  barrier();
  for (int round = 1; round <= rounds; ++round) {
    next.write(round);
    cross();
    ASSERT_EQ(*mine.raw(), round) << algorithm.name;
    cross();
  }
  barrier();
}

TEST(LitmusTest, WritesBeforeABarrierAreSeenBehindIt) {
  for (const int ranks_count : {2, 3, 10}) {
    // More than 256 where a round is quick, so that flags of one byte begin again.
    const int rounds = ranks_count == 2 ? 600 : ranks_count == 3 ? 150 : 10;
    run_threads(ranks_count, [=] {
      for (const auto* algorithm : coll::algorithms_of(coll::Collective::barrier)) {
        if (algorithm->medium() != coll::Medium::shared_memory) continue;
        expect_order(*algorithm, rounds);
      }
    });
  }
}

/// The barrier that users call, which leaves out what only a fence has to do.
TEST(LitmusTest, WritesOfAllKindsAreSeenBehindABarrierOfTheLibrary) {
  run_threads(2, [] {
    constexpr std::size_t words = 600;
    const auto mine = new_array<std::uint64_t>(words);
    const auto next = allgather(mine)[static_cast<std::size_t>(1 - rank())];
    barrier();
    for (std::uint64_t round = 1; round <= 2000; ++round) {
      const std::size_t count = 1 + round * 7 % words;
      const std::vector<std::uint64_t> values(count, round);
      next.nwrite(values.data(), count);
      barrier();
      for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(mine.raw()[i], round);
      barrier();
    }
  });
}

}  // namespace
}  // namespace tasuki::test
