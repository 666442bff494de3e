#include "npb/mg/charges.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "npb/common/random.hpp"

namespace tasuki::npb::mg {
namespace {

/// Keeps the `charges_of_a_sign` first points in the order that `is_before` says. All numbers of a
/// grid differ: the point that is there already comes again, from a small box's other list.
template <class Order>
void keep(RandomPoint point, std::vector<RandomPoint>& points, Order is_before) {
  const auto at = std::upper_bound(points.begin(), points.end(), point, is_before);
  if (at != points.begin() && std::prev(at)->number == point.number) return;
  points.insert(at, point);
  if (points.size() > charges_of_a_sign) points.pop_back();
}

bool is_larger(const RandomPoint& a, const RandomPoint& b) { return a.number > b.number; }
bool is_smaller(const RandomPoint& a, const RandomPoint& b) { return a.number < b.number; }

void append(std::span<const RandomPoint> points, std::vector<double>& numbers) {
  // A box may have fewer points; these never get among the extremes of all.
  for (std::size_t k = 0; k < charges_of_a_sign; ++k) {
    const RandomPoint point = k < points.size() ? points[k] : RandomPoint{0.5, 0};
    numbers.push_back(point.number);
    numbers.push_back(point.place);
  }
}

}  // namespace

void Extremes::add(RandomPoint point) {
  keep(point, largest, is_larger);
  keep(point, smallest, is_smaller);
}

Extremes find_extremes(int edge_bits, const Box& box) {
  Extremes extremes;
  double lower_limit = 1;  // Above and below these nothing is extreme.
  double upper_limit = 0;
  for (std::int64_t z = box[z_axis].begin; z < box[z_axis].end; ++z)
    for (std::int64_t y = box[y_axis].begin; y < box[y_axis].end; ++y) {
      const std::int64_t line = ((z << edge_bits) + y) << edge_bits;
      RandomStream random;
      random.skip(static_cast<std::uint64_t>(line + box[x_axis].begin));
      for (std::int64_t x = box[x_axis].begin; x < box[x_axis].end; ++x) {
        const double number = random.next();
        if (number > lower_limit && number < upper_limit) continue;
        extremes.add({number, static_cast<double>(line + x)});
        if (extremes.largest.size() < charges_of_a_sign) continue;
        lower_limit = extremes.smallest.back().number;
        upper_limit = extremes.largest.back().number;
      }
    }
  return extremes;
}

std::vector<double> packed(const Extremes& extremes) {
  std::vector<double> numbers;
  append(extremes.largest, numbers);
  append(extremes.smallest, numbers);
  return numbers;
}

Extremes merged(std::span<const double> packed_extremes) {
  Extremes extremes;
  for (std::size_t k = 0; k < packed_extremes.size(); k += 2)
    extremes.add({packed_extremes[k], packed_extremes[k + 1]});
  return extremes;
}

void set_charges(const Extremes& extremes, int edge_bits, const Box& box, Grid& grid) {
  grid.clear();
  const auto set = [&](const RandomPoint& point, double charge) {
    const auto place = static_cast<std::int64_t>(point.place);
    const std::int64_t mask = (std::int64_t{1} << edge_bits) - 1;
    const std::array<std::int64_t, axis_count> at{place & mask, place >> edge_bits & mask,
                                                  place >> (2 * edge_bits)};
    std::array<std::size_t, axis_count> here{};
    for (std::size_t axis = 0; axis < axis_count; ++axis) {
      if (!box[axis].contains(at[axis])) return;
      here[axis] = static_cast<std::size_t>(at[axis] - box[axis].begin) + 1;
    }
    grid.line(here[y_axis], here[z_axis])[here[x_axis]] = charge;
  };
  for (const RandomPoint& point : extremes.largest) set(point, 1);
  for (const RandomPoint& point : extremes.smallest) set(point, -1);
}

}  // namespace tasuki::npb::mg
