// examples/collectives.cpp
#include <tasuki/tasuki.hpp>

#include <algorithm>
#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
  return tasuki::run(argc, argv, [] {
    const int rank = tasuki::rank();
    const int largest = tasuki::allreduce(rank, tasuki::Max{});

    // Any associative operator; this one is not commutative, so rank order matters and is kept.
    const auto last_nonzero = [](int a, int b) { return b != 0 ? b : a; };
    const int kept = tasuki::allreduce(rank == 0 ? 7 : 0, last_nonzero);

    // Several in flight, each a future.
    std::vector<double> input(1000, 1.0), sum(1000), everybody(std::size_t{1000} * tasuki::size());
    auto reducing = tasuki::allreduce_async(input, sum, tasuki::Sum{});
    auto gathering = tasuki::allgather_async(input, everybody);
    tasuki::when_all(std::move(reducing), std::move(gathering)).get();

    // Blocks of different sizes: rank r gives r + 1 elements to everybody.
    tasuki::Blocks blocks;
    for (int r = 0; r < tasuki::size(); ++r) blocks.counts.push_back(std::size_t(r) + 1);
    const std::vector<int> mine(blocks.counts[std::size_t(rank)], rank);
    std::vector<int> all(std::size_t(tasuki::size()) * std::size_t(tasuki::size() + 1) / 2);
    tasuki::allgatherv(mine, all, blocks);

    // Teams: even and odd ranks apart.
    const tasuki::Team half = tasuki::world_team().split(rank % 2);
    const int members = tasuki::allreduce(1, tasuki::Sum{}, half);
    if (rank == 0) {
      std::printf("largest %d, kept %d, sum %.0f, last of all %d, even ranks %d\n", largest, kept,
                  sum[999], all.back(), members);
    }
  });
}
