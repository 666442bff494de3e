// examples/smoothing.cpp
#include <tasuki/containers/halo_exchange.hpp>
#include <tasuki/tasuki.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <numbers>
#include <vector>

// Waves on a torus of cells, which a grid of ranks shares: in each step a cell becomes the mean of
// itself and its eight neighbours.
int main(int argc, char** argv) {
  return tasuki::run(argc, argv, [] {
    constexpr std::int64_t side = 16;  // of each rank's block
    constexpr int steps = 50;
    const tasuki::CartesianTeam grid(tasuki::world_team(), {0, 0}, {true, true});
    tasuki::HaloExchange<double> halo(grid, {.extents = {side, side}, .widths = {{1, 1}, {1, 1}}});
    std::vector<double> cells(halo.memory_count());
    std::vector<double> after(cells.size());

    const std::vector<int> at = grid.coordinates();
    const double wave_i = 2 * std::numbers::pi / static_cast<double>(side * grid.extent(0));
    const double wave_j = 2 * std::numbers::pi / static_cast<double>(side * grid.extent(1));
    const auto start = [&](std::int64_t i, std::int64_t j) {
      return std::cos(wave_i * static_cast<double>(at[0] * side + i)) *
             std::cos(wave_j * static_cast<double>(at[1] * side + j));
    };
    const auto update = [&](std::int64_t i, std::int64_t j) {
      double sum = 0;
      for (std::int64_t di = -1; di <= 1; ++di)
        for (std::int64_t dj = -1; dj <= 1; ++dj) sum += cells[halo.offset(i + di, j + dj)];
      after[halo.offset(i, j)] = sum / 9;
    };
    const auto is_edge = [&](std::int64_t i) { return i == 0 || i == side - 1; };
    for (std::int64_t i = 0; i < side; ++i)
      for (std::int64_t j = 0; j < side; ++j) cells[halo.offset(i, j)] = start(i, j);
    for (int step = 0; step < steps; ++step) {
      halo.start(cells);
      for (std::int64_t i = 1; i < side - 1; ++i)
        for (std::int64_t j = 1; j < side - 1; ++j) update(i, j);  // meanwhile the edges travel
      halo.finish(cells);
      for (std::int64_t i = 0; i < side; ++i)
        for (std::int64_t j = 0; j < side; j += is_edge(i) ? 1 : side - 1) update(i, j);
      cells.swap(after);
    }
    // Verified: a wave keeps its form, and each step takes the same part of its height.
    const double part = (1 + 2 * std::cos(wave_i)) * (1 + 2 * std::cos(wave_j)) / 9;
    int wrong = 0;
    for (std::int64_t i = 0; i < side; ++i)
      for (std::int64_t j = 0; j < side; ++j)
        wrong += std::abs(cells[halo.offset(i, j)] - std::pow(part, steps) * start(i, j)) > 1e-12;
    const int all_wrong = tasuki::allreduce(wrong, tasuki::Sum{});
    if (tasuki::rank() == 0) std::printf("%d steps, %d wrong cells\n", steps, all_wrong);
  });
}
