// bench_containers: how fast containers take elements in, and how well a search of a tree is
// spread.
//
// tasuki run -n 2 -- build/release/bin/bench_containers [keys per rank] [queens]
//
// Each rank inserts keys that nobody else has, of which about half belong to it. Then all count
// keys, alike or skewed, by a CountingSet and by a HashMap without its cache. The search is that
// of examples/tree_search.cpp; its efficiency at 2 ranks is the time with -n 1 over twice the time
// with -n 2.
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <tasuki/containers/bag.hpp>
#include <tasuki/containers/counting_set.hpp>
#include <tasuki/containers/hash_map.hpp>
#include <tasuki/detail/base/clock.hpp>
#include <tasuki/detail/containers/owner.hpp>
#include <tasuki/tasuki.hpp>
#include <vector>

namespace tasuki::bench {
namespace {

constexpr int samples_count = 5;

/// Of the slowest rank, from the time when all are ready.
template <class Body>
double seconds(Body body) {
  constexpr double ns_per_s = 1e9;
  barrier();
  const std::int64_t begin_ns = base::now_ns();
  body();
  return allreduce(static_cast<double>(base::now_ns() - begin_ns) / ns_per_s, Max{});
}

std::uint64_t key_of(std::uint64_t number) {
  constexpr unsigned bits = 40;
  return containers::mixed(static_cast<std::uint64_t>(rank()) << bits | number);
}

void print_rate(const std::string& what, std::uint64_t keys, double taken_s) {
  constexpr double million = 1e6;
  const double rate = static_cast<double>(keys) / taken_s / million;
  if (rank() == 0) fmt::print("{:<32} {:>8.2f} M/s per rank\n", what, rate);
}

void measure_maps(std::uint64_t keys) {
  HashMap<std::uint64_t, std::uint64_t> map;
  print_rate("HashMap insert", keys, seconds([&] {
               for (std::uint64_t i = 0; i < keys; ++i) map.async_insert(key_of(i), i);
               quiesce();
             }));
  print_rate("HashMap visit", keys, seconds([&] {
               for (std::uint64_t i = 0; i < keys; ++i) {
                 map.async_visit(key_of(i), [](std::uint64_t, std::uint64_t& value) { ++value; });
               }
               quiesce();
             }));
}

/// How often keys occur: beside a CountingSet, a map that each addition is sent to.
void measure_counts(const std::string& what, const std::vector<std::uint64_t>& keys) {
  CountingSet<std::uint64_t> counts;
  print_rate("CountingSet, " + what, keys.size(), seconds([&] {
               for (const std::uint64_t key : keys) counts.async_insert(key);
               quiesce();
             }));
  HashMap<std::uint64_t, std::uint64_t> map;
  print_rate("HashMap, " + what, keys.size(), seconds([&] {
               for (const std::uint64_t key : keys) map.async_reduce(key, 1, Sum{});
               quiesce();
             }));
}

/// Key n is about as frequent as 1 / n, as words are (Zipf 1935).
std::uint64_t skewed(std::uint64_t number, double keys) {
  const double fraction = std::ldexp(static_cast<double>(key_of(number)), -64);
  return static_cast<std::uint64_t>(std::pow(keys, fraction));
}

void measure_counts(std::uint64_t keys) {
  std::vector<std::uint64_t> all(keys);
  for (const std::uint64_t different : {100, 1000, 10'000, 1'000'000}) {
    for (std::uint64_t i = 0; i < keys; ++i) all[i] = key_of(i) % different;
    measure_counts(fmt::format("{} keys alike", different), all);
  }
  for (const double different : {1e3, 1e4, 1e6}) {
    for (std::uint64_t i = 0; i < keys; ++i) all[i] = skewed(i, different);
    measure_counts(fmt::format("{} keys skewed", different), all);
  }
}

struct Rows {
  int left;
  std::uint32_t columns, rising, falling;
};

void measure_search(int size) {
  long ways = 0;
  std::int64_t nodes = 0;
  Bag<Rows> open;
  if (rank() == 0) open.local_insert({size, 0, 0, 0});
  const double taken_s = seconds([&] {
    open.process([&](Rows rows, Bag<Rows>& bag) {
      ++nodes;
      if (rows.left == 0) ++ways;
      if (rows.left == 0) return;
      std::uint32_t free = ~(rows.columns | rows.rising | rows.falling) & ((1U << size) - 1);
      for (; free != 0; free &= free - 1) {
        const std::uint32_t queen = free & -free;
        bag.local_insert({rows.left - 1, rows.columns | queen, (rows.rising | queen) << 1U,
                          (rows.falling | queen) >> 1U});
      }
    });
  });
  const std::int64_t most_nodes = allreduce(nodes, Max{});
  const std::int64_t all_nodes = allreduce(nodes, Sum{});
  const long all_ways = allreduce(ways, Sum{});
  if (rank() != 0) return;
  fmt::print("{} queens: {} ways, {} items, {} of them on one rank, in {:.4f} s\n", size, all_ways,
             all_nodes, most_nodes, taken_s);
}

}  // namespace
}  // namespace tasuki::bench

int main(int argc, char** argv) {
  const std::string keys = argc > 1 ? argv[1] : "1000000";
  const std::string queens = argc > 2 ? argv[2] : "13";
  return tasuki::run(argc, argv, [&] {
    for (int sample = 0; sample < tasuki::bench::samples_count; ++sample) {
      tasuki::bench::measure_maps(std::stoull(keys));
      tasuki::bench::measure_counts(std::stoull(keys));
      tasuki::bench::measure_search(std::stoi(queens));
    }
  });
}
