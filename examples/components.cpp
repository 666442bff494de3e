// examples/components.cpp
#include <tasuki/containers/disjoint_set.hpp>
#include <tasuki/tasuki.hpp>

#include <algorithm>
#include <cstdio>

// The connected components of a graph, whose edges lead from each number to half of it if it is
// even, else to the number four below.
int main(int argc, char** argv) {
  return tasuki::run(argc, argv, [] {
    tasuki::DisjointSet<int> sets;
    for (int vertex = tasuki::rank(); vertex < 1000; vertex += tasuki::size()) {
      sets.async_insert(vertex);
      if (vertex % 2 == 0) sets.async_union(vertex, vertex / 2);
      if (vertex % 2 != 0 && vertex > 4) sets.async_union(vertex, vertex - 4);
    }
    const std::size_t count = sets.count_sets();
    int least_of_999 = 999;
    const int of_999 = sets.async_find(999).get();
    sets.for_all([&](int vertex, int representative) {
      if (representative == of_999) least_of_999 = std::min(least_of_999, vertex);
    });
    const int least = tasuki::allreduce(least_of_999, tasuki::Min{});
    if (tasuki::rank() == 0) std::printf("%zu components; 999 is with %d\n", count, least);
  });
}
