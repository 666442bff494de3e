#include "npb/mg/charges.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <vector>

#include "npb/common/random.hpp"

namespace tasuki::npb::mg {
namespace {

constexpr int edge_bits = 5;
constexpr std::int64_t edge = std::int64_t{1} << edge_bits;
constexpr Box whole{apps::Range{0, edge}, apps::Range{0, edge}, apps::Range{0, edge}};

std::vector<double> numbers_of(std::span<const RandomPoint> points) {
  std::vector<double> numbers;
  for (const RandomPoint& point : points) numbers.push_back(point.number);
  return numbers;
}

TEST(MgCharges, ExtremesAreThoseOfAllNumbers) {
  RandomStream random;
  std::vector<double> numbers(static_cast<std::size_t>(edge * edge * edge));
  for (double& number : numbers) number = random.next();
  const Extremes extremes = find_extremes(edge_bits, whole);
  for (const RandomPoint& point : extremes.largest)
    EXPECT_EQ(point.number, numbers[static_cast<std::size_t>(point.place)]);
  std::sort(numbers.begin(), numbers.end());
  EXPECT_EQ(numbers_of(extremes.smallest),
            std::vector<double>(numbers.begin(), numbers.begin() + charges_of_a_sign));
  EXPECT_EQ(numbers_of(extremes.largest),
            std::vector<double>(numbers.rbegin(), numbers.rbegin() + charges_of_a_sign));
}

TEST(MgCharges, OfBoxesAreThoseOfTheWhole) {
  const std::vector<double> expected = packed(find_extremes(edge_bits, whole));
  for (const int ranks : {2, 8, 64, 4096}) {  // At last each box has eight points.
    std::vector<double> all;
    for (int rank = 0; rank < ranks; ++rank) {
      const std::vector<double> mine =
          packed(find_extremes(edge_bits, Layout(edge_bits, rank, ranks).box(edge_bits)));
      all.insert(all.end(), mine.begin(), mine.end());
    }
    EXPECT_EQ(packed(merged(all)), expected) << ranks;
  }
}

TEST(MgCharges, StandAtTheirPlaces) {
  const Extremes extremes = find_extremes(edge_bits, whole);
  double sum = 0;
  double squares = 0;
  for (int rank = 0; rank < 4; ++rank) {
    const Box box = Layout(edge_bits, rank, 4).box(edge_bits);
    Grid grid(box);
    std::fill_n(grid.line(1, 1), 5, 7.0);
    set_charges(extremes, edge_bits, box, grid);
    for (std::int64_t z = 0; z < box[z_axis].size(); ++z)
      for (std::int64_t y = 0; y < box[y_axis].size(); ++y)
        for (std::int64_t x = 0; x < box[x_axis].size(); ++x) {
          const double charge =
              grid.line(static_cast<std::size_t>(y + 1), static_cast<std::size_t>(z + 1))[x + 1];
          sum += charge;
          squares += charge * charge;
          if (charge != 1) continue;
          const std::int64_t place =
              ((z + box[z_axis].begin) * edge + y + box[y_axis].begin) * edge + x +
              box[x_axis].begin;
          EXPECT_EQ(1, std::count_if(extremes.largest.begin(), extremes.largest.end(),
                                     [&](const RandomPoint& point) {
                                       return point.place == static_cast<double>(place);
                                     }));
        }
  }
  EXPECT_EQ(sum, 0);
  EXPECT_EQ(squares, 2 * charges_of_a_sign);
}

}  // namespace
}  // namespace tasuki::npb::mg
