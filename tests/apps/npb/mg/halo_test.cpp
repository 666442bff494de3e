#include "npb/mg/halo.hpp"

#include <gtest/gtest.h>

#include "apps/npb/mg/thread_exchange.hpp"

namespace tasuki::npb::mg {
namespace {

constexpr int edge_bits = 4;
constexpr std::int64_t edge = std::int64_t{1} << edge_bits;

/// Of a point of the whole periodic grid.
double value_at(std::int64_t x, std::int64_t y, std::int64_t z) {
  const auto wrapped = [](std::int64_t at) { return (at + edge) % edge; };
  return static_cast<double>((wrapped(z) * edge + wrapped(y)) * edge + wrapped(x));
}

/// Calls visit(value in the grid, its value as it should be, is in the box) for all points, with
/// the layer.
template <class Visit>
void for_each_point(Grid& grid, const Box& box, Visit visit) {
  const auto in_box = [&](std::size_t at, Axis axis) {
    return at > 0 && at + 1 < grid.extent(axis);
  };
  for (std::size_t z = 0; z < grid.extent(z_axis); ++z)
    for (std::size_t y = 0; y < grid.extent(y_axis); ++y)
      for (std::size_t x = 0; x < grid.extent(x_axis); ++x)
        visit(grid.line(y, z)[x],
              value_at(box[x_axis].begin + static_cast<std::int64_t>(x) - 1,
                       box[y_axis].begin + static_cast<std::int64_t>(y) - 1,
                       box[z_axis].begin + static_cast<std::int64_t>(z) - 1),
              in_box(x, x_axis) && in_box(y, y_axis) && in_box(z, z_axis));
}

TEST(MgHalo, GetsTheNeighboursPoints) {
  for (const int ranks : {1, 2, 4, 8, 16}) {
    apps::ThreadRanks threads(ranks);
    threads.run([&](int rank) {
      const Layout layout(edge_bits, rank, ranks);
      ThreadExchange exchange(threads, layout);
      const Box box = layout.box(edge_bits);
      Grid grid(box);
      for_each_point(grid, box, [](double& value, double expected, bool in_box) {
        if (in_box) value = expected;
      });
      DividedHalo<ThreadExchange>(layout, exchange)(grid);
      for_each_point(grid, box,
                     [&](double value, double expected, bool) { EXPECT_EQ(value, expected); });
    });
  }
}

TEST(MgHalo, OfAWholeGridComesFromItsOtherSide) {
  const Box box{apps::Range{0, edge}, apps::Range{0, edge}, apps::Range{0, edge}};
  Grid grid(box);
  for_each_point(grid, box, [](double& value, double expected, bool in_box) {
    if (in_box) value = expected;
  });
  WholeHalo{}(grid);
  for_each_point(grid, box,
                 [](double value, double expected, bool) { EXPECT_EQ(value, expected); });
}

}  // namespace
}  // namespace tasuki::npb::mg
