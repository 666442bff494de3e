// examples/histogram.cpp
#include <tasuki/tasuki.hpp>

#include <algorithm>
#include <cstdio>
#include <random>
#include <vector>

using Count = tasuki::GlobalPtr<long>;

// Runs on the rank that has the count.
void add_one(Count count) { ++*count.raw(); }

int main(int argc, char** argv) {
  return tasuki::run(argc, argv, [] {
    constexpr std::size_t own_buckets = 4096;
    constexpr int own_numbers = 100000;
    const auto ranks = static_cast<std::size_t>(tasuki::size());
    const auto tables = tasuki::new_array<long>(own_buckets, tasuki::world_team());
    const auto count_of = [&](std::size_t number) {
      const std::size_t bucket = number % (ranks * own_buckets);
      return tables[bucket % ranks] + static_cast<std::ptrdiff_t>(bucket / ranks);
    };

    std::minstd_rand random(static_cast<unsigned>(tasuki::rank()) + 1);
    for (int i = 0; i < own_numbers; ++i) {
      const Count count = count_of(random());
      tasuki::post(count.rank(), add_one, count);
    }
    tasuki::quiesce();  // all numbers of all ranks are counted

    // Verified: the same numbers, taken off again without a message, leave zeros.
    const Count own = tables[static_cast<std::size_t>(tasuki::rank())];
    for (unsigned rank = 0; rank < ranks; ++rank) {
      std::minstd_rand same(rank + 1);
      for (int i = 0; i < own_numbers; ++i) {
        const Count count = count_of(same());
        if (count.rank() == tasuki::rank()) --*count.raw();
      }
    }
    const long wrong = own_buckets - std::count(own.raw(), own.raw() + own_buckets, 0);
    const long all_wrong = tasuki::allreduce(wrong, tasuki::Sum{});
    if (tasuki::rank() == 0) {
      std::printf("%zu numbers, %ld wrong counts\n", ranks * own_numbers, all_wrong);
    }
    tasuki::delete_(own);
  });
}
