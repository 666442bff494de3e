// The collectives on shared memory, each by itself: whatever the policy would choose.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <tasuki/detail/base/clock.hpp>
#include <tasuki/detail/coll/registry.hpp>
#include <vector>

#include "node/segment/slots.hpp"
#include "runtime/collectives/rank_collectives.hpp"
#include "support/rank_test.hpp"

namespace tasuki::test {
namespace {

using coll::Collective;

using NodeMemoryTest = RankTest;

node::NodeSegment* segment() {
  return runtime::Rank::current().collectives->node_memory().world_segment();
}

constexpr const char* no_segment = "the ranks do not share memory";

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

template <class Function>
Function function_of(const coll::AlgorithmDescriptor& algorithm) {
  return std::get<Function>(std::get<coll::InNodeMemory>(algorithm.way).function->call);
}

/// One algorithm with one size of pieces, called as the runtime calls it.
struct Caller {
  node::Function function;
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
    function(segment()->buffer, call, piece_bytes);
  }
};

bool takes(const coll::AlgorithmDescriptor& algorithm, std::size_t piece_bytes) {
  return std::ranges::all_of(algorithm.parameters, [&](const coll::ParameterDeclaration& one) {
    return static_cast<std::int64_t>(piece_bytes) <= one.maximum;
  });
}

/// Calls `body(caller, count)` for all algorithms of the collective and many sizes.
template <class Body>
void for_all(Collective collective, Body body) {
  for (const auto* algorithm : coll::algorithms_of(collective)) {
    if (algorithm->medium() == coll::Medium::messages) continue;
    if (algorithm->medium() == coll::Medium::mpi_library) continue;
    if (algorithm->medium() == coll::Medium::peer_memory && !segment()->reads_peers()) continue;
    for (const std::size_t piece_bytes : {std::size_t{64}, std::size_t{1000}, std::size_t{32768},
                                          node::slot_bytes, 7 * node::slot_bytes}) {
      if (!takes(*algorithm, piece_bytes)) continue;
      for (const std::size_t count : {1U, 2U, 7U, 300U, 9001U}) {
        SCOPED_TRACE(
            fmt::format("{} of {} in pieces of {} bytes", algorithm->name, count, piece_bytes));
        // Ranks come at different times.
        for (int i = (rank() * 5 + static_cast<int>(count)) % 4; i > 0; --i) yield();
        body(Caller{function_of<node::Function>(*algorithm), collective, piece_bytes}, count);
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
  if (segment() == nullptr) GTEST_SKIP() << no_segment;
  for_all(Collective::broadcast, [](const Caller& call, std::size_t count) {
    for (int root = 0; root < size(); ++root) {
      auto data = blocks_of(rank(), 0, 0, count);
      call(count, {}, data, root);
      EXPECT_EQ(data, blocks_of(root, 0, 0, count));
    }
  });
}

TEST_F(NodeMemoryTest, gather_and_allgather) {
  if (segment() == nullptr) GTEST_SKIP() << no_segment;
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
  if (segment() == nullptr) GTEST_SKIP() << no_segment;
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
  if (segment() == nullptr) GTEST_SKIP() << no_segment;
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
  if (segment() == nullptr) GTEST_SKIP() << no_segment;
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
  if (segment() == nullptr) GTEST_SKIP() << no_segment;
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

/// Of the v-forms: how many elements `from` sends to `to`; none for some.
std::size_t uneven(std::size_t count, int from, int to) {
  return static_cast<std::size_t>((from * 3 + to * 2 + 1) % 4) * count / 4;
}

/// One element's gap in front of each block, in the reverse order of the ranks.
Blocks scattered(const std::vector<std::size_t>& counts) {
  Blocks blocks{counts, std::vector<std::size_t>(counts.size())};
  std::size_t end = 0;
  for (std::size_t i = counts.size(); i-- > 0;) {
    blocks.displacements[i] = end + 1;
    end = blocks.displacements[i] + counts[i];
  }
  return blocks;
}

/// The blocks that this rank sends (or receives) and what lies in them; 0 in the gaps.
struct Side {
  Blocks blocks;
  std::vector<std::int64_t> data;
};

/// `count_of(rank)` elements for or from each rank; `from_of(rank)`, `to_of(rank)`: whose.
template <class CountOf, class FromOf, class ToOf>
Side side_of(bool has_gaps, CountOf count_of, FromOf from_of, ToOf to_of) {
  std::vector<std::size_t> counts;
  for (int i = 0; i < size(); ++i) counts.push_back(count_of(i));
  Side side{has_gaps ? scattered(counts) : Blocks{counts}, {}};
  std::size_t end = 0;
  for (int i = 0; i < size(); ++i) {
    const std::size_t count = counts[static_cast<std::size_t>(i)];
    const std::size_t begin =
        has_gaps ? side.blocks.displacements[static_cast<std::size_t>(i)] : end;
    end = begin + count;
    side.data.resize(std::max(side.data.size(), end));
    for (std::size_t k = 0; k < count; ++k) {
      side.data[begin + k] = element(from_of(i), to_of(i), k);
    }
  }
  return side;
}

std::vector<std::int64_t> zeros_like(const std::vector<std::int64_t>& data) {
  return std::vector<std::int64_t>(data.size());
}

const auto myself = [](int) { return rank(); };
const auto the_other = [](int other) { return other; };

TEST_F(NodeMemoryTest, gatherv_and_scatterv) {
  if (segment() == nullptr) GTEST_SKIP() << no_segment;
  for (const bool has_gaps : {false, true}) {
    for_all(Collective::gatherv, [&](const Caller& caller, std::size_t count) {
      const int root = static_cast<int>(count) % size();
      const auto count_of = [&](int from) { return uneven(count, from, 0); };
      const Side all = side_of(has_gaps, count_of, the_other, [](int) { return 0; });
      const auto mine = blocks_of(rank(), 0, 0, count_of(rank()));
      auto received = zeros_like(all.data);
      const bool is_root = rank() == root;
      auto call = runtime::describe_gatherv<std::int64_t>(mine, received,
                                                          is_root ? all.blocks : Blocks{}, root);
      caller.run(call);
      EXPECT_EQ(received, is_root ? all.data : zeros_like(all.data));
    });
    for_all(Collective::scatterv, [&](const Caller& caller, std::size_t count) {
      const int root = static_cast<int>(count) % size();
      const auto count_of = [&](int to) { return uneven(count, 0, to); };
      const Side all = side_of(
          has_gaps, count_of, [](int) { return 0; }, the_other);
      std::vector<std::int64_t> mine(count_of(rank()));
      auto call = runtime::describe_scatterv<std::int64_t>(
          all.data, rank() == root ? all.blocks : Blocks{}, mine, root);
      caller.run(call);
      EXPECT_EQ(mine, blocks_of(0, rank(), rank(), count_of(rank())));
    });
  }
}

TEST_F(NodeMemoryTest, allgatherv_and_alltoallv) {
  if (segment() == nullptr) GTEST_SKIP() << no_segment;
  for (const bool has_gaps : {false, true}) {
    for_all(Collective::allgatherv, [&](const Caller& caller, std::size_t count) {
      const auto count_of = [&](int from) { return uneven(count, from, 0); };
      const Side all = side_of(has_gaps, count_of, the_other, [](int) { return 0; });
      const auto mine = blocks_of(rank(), 0, 0, count_of(rank()));
      auto received = zeros_like(all.data);
      auto call = runtime::describe_allgatherv<std::int64_t>(mine, received, all.blocks);
      if (coll::total_receive_count(call.shape) != 0) caller.run(call);
      EXPECT_EQ(received, all.data);
    });
    for_all(Collective::alltoallv, [&](const Caller& caller, std::size_t count) {
      const Side sent = side_of(
          has_gaps, [&](int to) { return uneven(count, rank(), to); }, myself, the_other);
      const Side wanted = side_of(
          !has_gaps, [&](int from) { return uneven(count, from, rank()); }, the_other, myself);
      auto received = zeros_like(wanted.data);
      auto call = runtime::describe_alltoallv<std::int64_t>(sent.data, sent.blocks, received,
                                                            wanted.blocks);
      caller.run(call);
      EXPECT_EQ(received, wanted.data);
    });
  }
}

TEST_F(NodeMemoryTest, reduce_scatter) {
  if (segment() == nullptr) GTEST_SKIP() << no_segment;
  for_all(Collective::reduce_scatter, [](const Caller& caller, std::size_t count) {
    std::vector<std::size_t> counts;
    for (int to = 0; to < size(); ++to) counts.push_back(uneven(count, 1, to));
    const std::size_t own_count = counts[static_cast<std::size_t>(rank())];
    std::vector<Word> output(own_count);
    const std::vector<Word> input(std::accumulate(counts.begin(), counts.end(), std::size_t{0}),
                                  word_of(rank(), rank()));
    const Append append;
    auto call =
        runtime::describe_reduction<Word>(Collective::reduce_scatter, own_count,
                                          std::span<const Word>(input), std::span(output), append);
    call.shape.receive_counts = counts;
    if (!input.empty()) caller.run(call);
    EXPECT_EQ(output, std::vector<Word>(own_count, word_of(0, size() - 1)));
  });
}

TEST_F(NodeMemoryTest, every_barrier_waits_for_the_last) {
  if (segment() == nullptr) GTEST_SKIP() << no_segment;
  const auto barriers = coll::algorithms_of(Collective::barrier);
  DistObject<int> entered(0);
  barrier();
  for (int round = 1; round <= 60; ++round) {
    // Ways may change from one barrier to the next.
    const auto* algorithm = barriers[static_cast<std::size_t>(round) % barriers.size()];
    if (algorithm->medium() != coll::Medium::shared_memory) continue;
    *entered = round;
    for (int i = (rank() + round) % 3; i > 0; --i) yield();
    (segment()->barrier.*function_of<node::BarrierFunction>(*algorithm))();
    const int peer = (rank() + round) % size();
    EXPECT_GE(entered.fetch(peer).get(), round) << algorithm->name;
  }
  barrier();
}

/// Answers calls, but for so long that others would get through a barrier which lets them.
void come_late() {
  const std::int64_t end_ns = base::now_ns() + 20'000'000;
  while (base::now_ns() < end_ns) yield();
}

/// Flags of one byte: an old one must not look like a new one, however many barriers of another
/// kind were between.
TEST_F(NodeMemoryTest, flags_of_a_barrier_long_ago_do_not_count) {
  if (segment() == nullptr) GTEST_SKIP() << no_segment;
  const auto run = [](const coll::AlgorithmDescriptor* algorithm) {
    (segment()->barrier.*function_of<node::BarrierFunction>(*algorithm))();
  };
  DistObject<int> entered(0);
  barrier();
  int round = 0;
  for (const auto* first : coll::algorithms_of(Collective::barrier)) {
    if (first->medium() != coll::Medium::shared_memory) continue;
    for (const auto* second : coll::algorithms_of(Collective::barrier)) {
      if (second->medium() != coll::Medium::shared_memory || second == first) continue;
      SCOPED_TRACE(fmt::format("255 times {} between two of {}", second->name, first->name));
      run(first);
      for (int i = 0; i < 255; ++i) run(second);
      ++round;
      if (rank() == size() - 1) come_late();
      *entered = round;
      run(first);
      EXPECT_EQ(entered.fetch(size() - 1).get(), round);
      barrier();
    }
  }
}

TEST_F(NodeMemoryTest, collectives_of_many_fibers_take_turns) {
  if (segment() == nullptr) GTEST_SKIP() << no_segment;
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
