// examples/heat.cpp
#include <tasuki/containers/halo.hpp>
#include <tasuki/tasuki.hpp>

#include <cstdint>
#include <cstdio>
#include <span>
#include <utility>

// Heat spreads on a plate whose first row is kept at 100 degrees, the other edges at 0: in each
// step an element becomes the mean of its four neighbours, which may be on other ranks.
int main(int argc, char** argv) {
  return tasuki::run(argc, argv, [] {
    constexpr std::int64_t side = 20;
    using Index = std::span<const std::int64_t>;
    tasuki::Array<double> plate({side, side}, {tasuki::Block{}, tasuki::Block{}});
    plate.for_all([](Index at, double& degrees) { degrees = at[0] == 0 ? 100 : 0; });

    tasuki::Halo<double> before(plate, 1);
    for (int step = 0; step < 200; ++step) {
      before.exchange();
      plate.local_for_all([&](Index at, double& degrees) {
        const auto [i, j] = std::pair(at[0], at[1]);
        if (i == 0 || i == side - 1 || j == 0 || j == side - 1) return;
        degrees = (before(i - 1, j) + before(i + 1, j) + before(i, j - 1) + before(i, j + 1)) / 4;
      });
    }
    tasuki::barrier();
    if (tasuki::rank() == 0) {
      const double near = plate.at(2, side / 2);
      const double far = plate.at(side - 2, side / 2);
      std::printf("%.2f degrees near the warm edge, %.2f far from it\n", near, far);
    }
    tasuki::barrier();
  });
}
