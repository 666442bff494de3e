// The collectives on shared memory, each by itself: whatever the policy would choose.
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <tasuki/coll/registry.hpp>
#include <vector>

#include "runtime/collectives.hpp"
#include "support/rank_test.hpp"

namespace tasuki::test {
namespace {

using coll::Collective;

using NodeMemoryTest = RankTest;

runtime::node_memory::Ground* ground() { return runtime::World::current().collectives().ground(); }

constexpr const char* no_ground = "the ranks do not share memory";

/// Strings of the ranks that took part: associative, and shows any other order.
struct Word {
  std::array<char, 12> letters{};
  bool operator==(const Word&) const = default;
};
struct Append {
  Word operator()(const Word& a, const Word& b) const {
    Word both = a;
    std::size_t end = 0;
    while (both.letters[end] != 0) ++end;
    for (std::size_t i = 0; b.letters[i] != 0; ++i) both.letters.at(end++) = b.letters[i];
    return both;
  }
};
Word word_of(int first_rank, int last_rank) {
  Word word;
  std::size_t end = 0;
  for (int rank = first_rank; rank <= last_rank; ++rank) {
    word.letters.at(end++) = static_cast<char>('a' + rank);
  }
  return word;
}

std::int64_t element(int from, int to, std::size_t index) {
  return from * 1'000'003LL + to * 10'007LL + static_cast<std::int64_t>(index);
}

/// One algorithm with one size of pieces, called as the runtime calls it.
struct Caller {
  runtime::node_memory::Function function;
  Collective collective;
  std::size_t piece_bytes;

  template <class T>
  void operator()(std::size_t count, const std::vector<T>& input, std::vector<T>& output,
                  int root = 0) const {
    auto call =
        runtime::describe<T>(collective, count, std::span<const T>(input), std::span(output), root);
    run(call);
  }
  template <class T, class Op>
  void reduce(std::size_t count, const std::vector<T>& input, std::vector<T>& output, Op op,
              int root = 0) const {
    auto call = runtime::describe_reduction<T>(collective, count, std::span<const T>(input),
                                               std::span(output), op, root);
    run(call);
  }
  void run(runtime::CollectiveCall& call) const {
    call.shape.ranks = size();
    call.shape.rank = rank();
    call.shape.in_place = call.input == call.output;
    function(ground()->board, call, piece_bytes);
  }
};

/// Calls `body(caller, count)` for all algorithms of the collective and many sizes.
template <class Body>
void for_all(Collective collective, Body body) {
  for (const auto* algorithm : coll::algorithms_of(collective)) {
    if (algorithm->medium == coll::Medium::messages) continue;
    if (algorithm->medium == coll::Medium::network) continue;
    if (algorithm->medium == coll::Medium::peer_memory && !ground()->reads_peers()) continue;
    for (const std::size_t piece_bytes :
         {std::size_t{64}, std::size_t{1000}, std::size_t{32768}, coll::board_slot_bytes}) {
      for (const std::size_t count : {1U, 2U, 7U, 300U, 9001U}) {
        SCOPED_TRACE(
            fmt::format("{} of {} in pieces of {} bytes", algorithm->name, count, piece_bytes));
        // Ranks come at different times.
        for (int i = (rank() * 5 + static_cast<int>(count)) % 4; i > 0; --i) yield();
        body(Caller{runtime::node_memory::function_of(*algorithm), collective, piece_bytes}, count);
      }
    }
  }
}

std::vector<std::int64_t> blocks_of(int from, int first_to, int last_to, std::size_t count) {
  std::vector<std::int64_t> blocks;
  for (int to = first_to; to <= last_to; ++to) {
    for (std::size_t i = 0; i < count; ++i) blocks.push_back(element(from, to, i));
  }
  return blocks;
}

TEST_F(NodeMemoryTest, broadcast) {
  if (ground() == nullptr) GTEST_SKIP() << no_ground;
  for_all(Collective::broadcast, [](const Caller& call, std::size_t count) {
    for (int root = 0; root < size(); ++root) {
      auto data = blocks_of(rank(), 0, 0, count);
      call(count, {}, data, root);
      EXPECT_EQ(data, blocks_of(root, 0, 0, count));
    }
  });
}

TEST_F(NodeMemoryTest, gather_and_allgather) {
  if (ground() == nullptr) GTEST_SKIP() << no_ground;
  for (const Collective collective : {Collective::gather, Collective::allgather}) {
    for_all(collective, [&](const Caller& call, std::size_t count) {
      const int root = static_cast<int>(count) % size();
      const bool has_output = collective == Collective::allgather || rank() == root;
      std::vector<std::int64_t> all(has_output ? count * static_cast<std::size_t>(size()) : 0);
      call(count, blocks_of(rank(), 0, 0, count), all, root);
      std::vector<std::int64_t> expected;
      for (int from = 0; has_output && from < size(); ++from) {
        const auto block = blocks_of(from, 0, 0, count);
        expected.insert(expected.end(), block.begin(), block.end());
      }
      EXPECT_EQ(all, expected);
    });
  }
}

TEST_F(NodeMemoryTest, scatter) {
  if (ground() == nullptr) GTEST_SKIP() << no_ground;
  for_all(Collective::scatter, [](const Caller& call, std::size_t count) {
    const int root = static_cast<int>(count) % size();
    std::vector<std::int64_t> mine(count);
    const auto all =
        rank() == root ? blocks_of(root, 0, size() - 1, count) : std::vector<std::int64_t>{};
    call(count, all, mine, root);
    EXPECT_EQ(mine, blocks_of(root, rank(), rank(), count));
  });
}

TEST_F(NodeMemoryTest, alltoall) {
  if (ground() == nullptr) GTEST_SKIP() << no_ground;
  for_all(Collective::alltoall, [](const Caller& call, std::size_t count) {
    std::vector<std::int64_t> received(count * static_cast<std::size_t>(size()));
    call(count, blocks_of(rank(), 0, size() - 1, count), received);
    std::vector<std::int64_t> expected;
    for (int from = 0; from < size(); ++from) {
      const auto block = blocks_of(from, rank(), rank(), count);
      expected.insert(expected.end(), block.begin(), block.end());
    }
    EXPECT_EQ(received, expected);
  });
}

TEST_F(NodeMemoryTest, reductions_in_rank_order) {
  if (ground() == nullptr) GTEST_SKIP() << no_ground;
  for (const Collective collective :
       {Collective::reduce, Collective::allreduce, Collective::scan, Collective::exscan}) {
    for_all(collective, [&](const Caller& call, std::size_t count) {
      const int root = static_cast<int>(count) % size();
      const Word nothing;
      std::vector<Word> output(count);
      std::vector<Word> in_place(count, word_of(rank(), rank()));
      call.reduce(count, in_place, output, Append{}, root);
      call.reduce(count, in_place, in_place, Append{}, root);
      int last = size() - 1;
      if (collective == Collective::scan) last = rank();
      if (collective == Collective::exscan) last = rank() - 1;
      const bool has_output = collective != Collective::reduce || rank() == root;
      if (!has_output || last < 0) {
        EXPECT_EQ(output, std::vector<Word>(count, nothing)) << "not to be touched";
      } else {
        EXPECT_EQ(output, std::vector<Word>(count, word_of(0, last)));
        EXPECT_EQ(in_place, output);
      }
    });
  }
}

TEST_F(NodeMemoryTest, reduce_scatter_block) {
  if (ground() == nullptr) GTEST_SKIP() << no_ground;
  for_all(Collective::reduce_scatter_block, [](const Caller& call, std::size_t count) {
    std::vector<std::int64_t> mine(count);
    call.reduce(count, blocks_of(rank(), 0, size() - 1, count), mine, Sum{});
    std::vector<std::int64_t> expected(count);
    for (int from = 0; from < size(); ++from) {
      for (std::size_t i = 0; i < count; ++i) expected[i] += element(from, rank(), i);
    }
    EXPECT_EQ(mine, expected);
  });
}

TEST_F(NodeMemoryTest, every_barrier_waits_for_the_last) {
  if (ground() == nullptr) GTEST_SKIP() << no_ground;
  const auto barriers = coll::algorithms_of(Collective::barrier);
  DistObject<int> entered(0);
  barrier();
  for (int round = 1; round <= 60; ++round) {
    // Ways may change from one barrier to the next.
    const auto* algorithm = barriers[static_cast<std::size_t>(round) % barriers.size()];
    if (algorithm->medium != coll::Medium::shared_memory) continue;
    *entered = round;
    for (int i = (rank() + round) % 3; i > 0; --i) yield();
    (ground()->barrier.*runtime::FlagBarrier::way_of(*algorithm))();
    const int peer = (rank() + round) % size();
    EXPECT_GE(entered.fetch(peer).get(), round) << algorithm->name;
  }
  barrier();
}

TEST_F(NodeMemoryTest, collectives_of_many_fibers_take_turns) {
  if (ground() == nullptr) GTEST_SKIP() << no_ground;
  std::vector<Future<int>> sums;
  std::vector<Future<bool>> barriers;
  for (int i = 0; i < 12; ++i) {
    sums.push_back(ainvoke(
        rank(), [](int number) { return allreduce(number, Sum{}); }, i));
    barriers.push_back(ainvoke(rank(), [] {
      barrier();
      return true;
    }));
  }
  for (int i = 0; i < 12; ++i) {
    EXPECT_EQ(sums[static_cast<std::size_t>(i)].get(), i * size());
    EXPECT_TRUE(barriers[static_cast<std::size_t>(i)].get());
  }
}

}  // namespace
}  // namespace tasuki::test
