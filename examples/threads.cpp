// examples/threads.cpp
// A thread beside the rank's own computes, and asks other ranks meanwhile.
#include <tasuki/rank_thread.hpp>
#include <tasuki/tasuki.hpp>

#include <cstdio>
#include <thread>
#include <vector>

double price_of(int item) { return 0.5 * item; }

// Part of what an OpenMP loop would do: several threads of the program ask other ranks.
double total_of(int items_count) {
  constexpr int threads_count = 2;
  std::vector<double> totals(threads_count);
  {
    std::vector<std::jthread> threads;
    for (int part = 0; part < threads_count; ++part) {
      threads.emplace_back([part, items_count, &totals] {
        for (int item = part; item < items_count; item += threads_count) {
          const auto ask = [item] { return tasuki::invoke(item % tasuki::size(), price_of, item); };
          totals[part] += tasuki::on_rank_thread(ask).get();
        }
      });
    }
  }
  return totals[0] + totals[1];
}

int main(int argc, char** argv) {
  return tasuki::run(argc, argv, [] {
    // The rank's own thread serves calls until the other has its result.
    auto total = tasuki::spawn_thread([] { return total_of(10); });
    if (tasuki::rank() == 0) std::printf("total: %.1f\n", total.get());
  });
}
