// Objects whose types want more alignment than malloc gives, in all that moves objects about.
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <tasuki/detail/coll/registry.hpp>
#include <tasuki/policy.hpp>
#include <vector>

#include "support/always.hpp"
#include "support/rank_test.hpp"

// GCC notes that such parameters were once passed in another way.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace tasuki::test {
namespace {

using coll::Collective;
using AlignmentTest = RankTest;

/// Two numbers that lie where their type wants them, or say so.
template <std::size_t alignment>
struct alignas(alignment) Pair {
  std::int64_t a = 0;
  std::int64_t b = 0;
  bool operator==(const Pair&) const = default;
  bool is_aligned() const { return reinterpret_cast<std::uintptr_t>(this) % alignment == 0; }
};

struct AddPairs {
  static constexpr bool commutative = true;
  template <class T>
  T operator()(const T& x, const T& y) const {
    EXPECT_TRUE(x.is_aligned() && y.is_aligned());
    return {x.a + y.a, x.b + y.b};
  }
};

template <class T>
std::vector<T> pairs_of(int first_rank, int last_rank, std::size_t count) {
  std::vector<T> pairs(count);
  for (int rank = first_rank; rank <= last_rank; ++rank) {
    for (std::size_t i = 0; i < count; ++i) {
      pairs[i].a += rank + static_cast<std::int64_t>(i);
      pairs[i].b += 1;
    }
  }
  return pairs;
}

/// One reduction, of blocks that are a rank's `count` pairs each.
template <class T>
void expect_reduction(Collective collective, std::size_t count, bool blocking) {
  const auto ranks = static_cast<std::size_t>(size());
  const bool has_blocks =
      collective == Collective::reduce_scatter_block || collective == Collective::reduce_scatter;
  const auto input = pairs_of<T>(rank(), rank(), has_blocks ? count * ranks : count);
  std::vector<T> output(count);
  const int last = collective == Collective::scan     ? rank()
                   : collective == Collective::exscan ? rank() - 1
                                                      : size() - 1;
  const auto all = pairs_of<T>(0, last, input.size());
  std::vector<T> expected(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count));
  if (has_blocks) {
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(count) * rank();
    expected.assign(begin, begin + static_cast<std::ptrdiff_t>(count));
  }
  const std::span<const T> in(input);
  const std::span<T> out(output);
  switch (collective) {
    case Collective::reduce:
      blocking ? reduce(in, out, AddPairs{}, 0) : reduce_async(in, out, AddPairs{}, 0).get();
      if (rank() != 0) return;
      break;
    case Collective::allreduce:
      blocking ? allreduce(in, out, AddPairs{}) : allreduce_async(in, out, AddPairs{}).get();
      break;
    case Collective::scan:
      blocking ? scan(in, out, AddPairs{}) : scan_async(in, out, AddPairs{}).get();
      break;
    case Collective::exscan:
      blocking ? exscan(in, out, AddPairs{}) : exscan_async(in, out, AddPairs{}).get();
      break;
    case Collective::reduce_scatter_block:
      blocking ? reduce_scatter(in, out, AddPairs{})
               : reduce_scatter_async(in, out, AddPairs{}).get();
      break;
    default:
      reduce_scatter(in, out, std::vector<std::size_t>(ranks, count), AddPairs{});
  }
  EXPECT_EQ(output, expected);
}

template <class T>
void expect_reductions() {
  const coll::Policy before = policy();
  for (const Collective collective :
       {Collective::reduce, Collective::allreduce, Collective::scan, Collective::exscan,
        Collective::reduce_scatter_block, Collective::reduce_scatter}) {
    for (const auto* algorithm : coll::algorithms_of(collective)) {
      set_policy(always(*algorithm));
      for (const std::size_t count : {std::size_t{1}, std::size_t{3}, std::size_t{700}}) {
        SCOPED_TRACE(fmt::format("{} {} of {} elements aligned to {}", coll::name_of(collective),
                                 algorithm->name, count, alignof(T)));
        expect_reduction<T>(collective, count, true);
        expect_reduction<T>(collective, count, false);
      }
    }
  }
  set_policy(before);
  const T sum = allreduce(pairs_of<T>(rank(), rank(), 1).front(), AddPairs{});
  EXPECT_EQ(sum, pairs_of<T>(0, size() - 1, 1).front());
}

TEST_F(AlignmentTest, reductions_by_every_algorithm) {
  expect_reductions<Pair<16>>();
  expect_reductions<Pair<64>>();
  expect_reductions<Pair<128>>();
}

/// Sum has the compiler load and store a vector register at once.
__extension__ typedef __int128 Int128;  // NOLINT(modernize-use-using): the keyword allows it
static_assert(alignof(Int128) == 16);

TEST_F(AlignmentTest, reductions_of_wide_numbers) {
  EXPECT_TRUE(allreduce(Int128{rank()} << 70, Sum{}) == Int128{size() * (size() - 1) / 2} << 70);
  std::vector<Int128> values(1000, rank());
  allreduce(std::span<const Int128>(values), std::span(values), Sum{});
  EXPECT_TRUE(values == std::vector<Int128>(1000, size() * (size() - 1) / 2));
}

template <class T>
T doubled(const T& pair) {
  EXPECT_TRUE(pair.is_aligned());
  return {2 * pair.a, 2 * pair.b};
}

template <class T>
void expect_calls() {
  const T sent{rank(), 7};
  EXPECT_EQ(invoke(next_rank(), doubled<T>, sent), doubled(sent));
  // As a capture, behind a byte that takes it out of line, and with what must be serialised.
  const auto captures = [sent](char before, T other, const std::string& text) {
    EXPECT_TRUE(sent.is_aligned() && other.is_aligned());
    return T{sent.a + other.a + before, static_cast<std::int64_t>(text.size())};
  };
  EXPECT_EQ(invoke(next_rank(), captures, '\1', sent, std::string(9, 'x')), (T{2 * rank() + 1, 9}));
  const auto row = invoke(
      next_rank(), [](std::vector<T> pairs) { return pairs; }, std::vector<T>(100, sent));
  EXPECT_EQ(row, std::vector<T>(100, sent));
  EXPECT_TRUE(row.front().is_aligned());
  auto chained = ainvoke(next_rank(), doubled<T>, sent).then([](T pair) {
    EXPECT_TRUE(pair.is_aligned());
    return doubled(pair);
  });
  EXPECT_EQ(chained.get(), (T{4 * rank(), 28}));
}

TEST_F(AlignmentTest, calls_and_futures) {
  expect_calls<Pair<16>>();
  expect_calls<Pair<64>>();
  expect_calls<Pair<128>>();
}

template <class T>
void expect_memory() {
  const auto odd = new_array<char>(static_cast<std::size_t>(rank()) * 24 + 1);
  const auto one = new_<T>();
  const auto array = new_array<T>(50);
  EXPECT_TRUE(one.raw()->is_aligned() && array.raw()->is_aligned());
  const auto ones = allgather(one);
  const auto arrays = allgather(array);
  const auto next = static_cast<std::size_t>(next_rank());
  const T* const here = ones[next].local();  // nullptr on another node
  EXPECT_TRUE(here == nullptr || here->is_aligned());
  const T value{rank(), 3};
  ones[next].write(value);
  ones[next].write_async(value).get();
  const std::vector<T> values(50, value);
  arrays[next].nwrite(values.data(), values.size());
  barrier();
  EXPECT_EQ(*one.raw(), (T{previous_rank(), 3}));
  EXPECT_EQ(ones[next].read(), value);
  EXPECT_EQ(ones[next].read_async().get(), value);
  std::vector<T> back(50);
  arrays[next].nread(back.data(), back.size());
  EXPECT_EQ(back, values);
  barrier();
  delete_(array);
  delete_(one);
  delete_(odd);
}

TEST_F(AlignmentTest, heaps_reads_and_writes) {
  expect_memory<Pair<16>>();
  expect_memory<Pair<64>>();
  expect_memory<Pair<128>>();
}

TEST_F(AlignmentTest, values_in_a_sync) {
  using T = Pair<64>;
  Sync<T> sync;
  const auto syncs = allgather(global_ptr(&sync));
  for (int i = 0; i < 100; ++i) {
    syncs[static_cast<std::size_t>(next_rank())].write(T{i, rank()});
    const T value = sync.read();
    EXPECT_TRUE(value.is_aligned());
    EXPECT_EQ(value, (T{i, previous_rank()}));
  }
  EXPECT_TRUE(sync.empty());
  barrier();
}

}  // namespace
}  // namespace tasuki::test
