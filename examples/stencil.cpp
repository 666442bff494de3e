// examples/stencil.cpp
#include <tasuki/tasuki.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <numbers>
#include <vector>

// Heat on a ring of cells, in blocks: each step a cell takes a quarter of each neighbour's.
int main(int argc, char** argv) {
  return tasuki::run(argc, argv, [] {
    constexpr std::size_t count = 64;
    constexpr int steps = 100;
    const int ranks = tasuki::size();
    const int rank = tasuki::rank();
    const auto left = static_cast<std::size_t>((rank + ranks - 1) % ranks);
    const auto right = static_cast<std::size_t>((rank + 1) % ranks);
    // What comes from the left in even and odd steps, then from the right; a counter for each side.
    const auto halos = tasuki::new_array<double>(4, tasuki::world_team());
    const auto arrived = tasuki::new_array<std::uint64_t>(2, tasuki::world_team());
    const auto own_halo = halos[static_cast<std::size_t>(rank)];
    const auto own_arrived = arrived[static_cast<std::size_t>(rank)];

    const double wave = 2 * std::numbers::pi / (static_cast<double>(count) * ranks);
    const auto start = [&](std::size_t i) {
      return std::sin(wave * static_cast<double>(static_cast<std::size_t>(rank) * count + i));
    };
    std::vector<double> cells(count + 2);  // with one of each neighbour
    std::vector<double> after(cells.size());
    for (std::size_t i = 0; i < count; ++i) cells[i + 1] = start(i);
    for (int step = 0; step < steps; ++step) {
      const int slot = step % 2;  // a neighbour is never two steps ahead
      (halos[left] + 2 + slot).nwrite_signal(&cells[1], 1, arrived[left] + 1);
      (halos[right] + slot).nwrite_signal(&cells[count], 1, arrived[right]);
      const auto update = [&](std::size_t i) {
        after[i] = cells[i] / 2 + (cells[i - 1] + cells[i + 1]) / 4;
      };
      for (std::size_t i = 2; i < count; ++i) update(i);  // meanwhile the edges travel
      tasuki::wait_signal(own_arrived.raw(), static_cast<std::uint64_t>(step) + 1);
      tasuki::wait_signal(own_arrived.raw() + 1, static_cast<std::uint64_t>(step) + 1);
      cells[0] = own_halo.raw()[slot];
      cells[count + 1] = own_halo.raw()[2 + slot];
      for (std::size_t i : {std::size_t{1}, count}) update(i);
      cells.swap(after);
    }
    // Verified: a wave keeps its form, and each step takes the same part of its height.
    const double height = std::pow((1 + std::cos(wave)) / 2, steps);
    int wrong = 0;
    for (std::size_t i = 0; i < count; ++i)
      wrong += std::abs(cells[i + 1] - height * start(i)) > 1e-12;
    const int all_wrong = tasuki::allreduce(wrong, tasuki::Sum{});
    if (rank == 0) std::printf("%d steps, %d wrong cells\n", steps, all_wrong);
    tasuki::delete_(own_halo);
    tasuki::delete_(own_arrived);
  });
}
