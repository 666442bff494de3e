// examples/tree_search.cpp
#include <tasuki/containers/bag.hpp>
#include <tasuki/tasuki.hpp>

#include <cstdio>

// All ways to put n queens on n x n squares so that no two attack each other. Nobody knows
// beforehand which first rows leave how many.
struct Rows {
  int left;
  unsigned columns, rising, falling;  // A bit for each column that is attacked in the next row.
};

int main(int argc, char** argv) {
  return tasuki::run(argc, argv, [] {
    constexpr int size = 10;
    tasuki::Bag<Rows> open;
    if (tasuki::rank() == 0) open.local_insert({size, 0, 0, 0});
    long ways = 0;
    open.process([&](Rows rows, tasuki::Bag<Rows>& bag) {
      if (rows.left == 0) ++ways;
      if (rows.left == 0) return;
      unsigned free = ~(rows.columns | rows.rising | rows.falling) & ((1U << size) - 1);
      for (; free != 0; free &= free - 1) {
        const unsigned queen = free & -free;
        bag.local_insert({rows.left - 1, rows.columns | queen, (rows.rising | queen) << 1,
                          (rows.falling | queen) >> 1});
      }
    });
    const long all = tasuki::allreduce(ways, tasuki::Sum{});
    if (tasuki::rank() == 0) std::printf("%d queens: %ld ways\n", size, all);
  });
}
