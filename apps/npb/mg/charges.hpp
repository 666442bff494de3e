// The right side of NPB MG's equation: charges at twenty points of the grid, zero elsewhere.
//
// Of a grid of random numbers the points with the ten largest have charge +1, those with the ten
// smallest -1 (Bailey et al., The NAS Parallel Benchmarks, RNR-94-007, 1994, section 2.3.2). Called
// by the solver. Thread-safety: values and pure functions.
#pragma once

#include <span>
#include <vector>

#include "npb/mg/grid.hpp"

namespace tasuki::npb::mg {

inline constexpr std::size_t charges_of_a_sign = 10;

/// A point of the whole grid, by its place in memory if one rank had it all, and its number. Both
/// are of one type, so that they travel together; a double knows all places.
struct RandomPoint {
  double number = 0;
  double place = 0;
};

/// Some points of a grid, or of one rank's part of it: those with extreme numbers.
struct Extremes {
  std::vector<RandomPoint> largest;   ///< The largest first.
  std::vector<RandomPoint> smallest;  ///< The smallest first.

  /// Takes the point in if it belongs to them.
  void add(RandomPoint point);
};

/// Of the numbers in the box of a grid with 2^edge_bits points along each axis.
Extremes find_extremes(int edge_bits, const Box& box);

/// For the journey: numbers and places in turn. All ranks have as many.
std::vector<double> packed(const Extremes& extremes);
/// The extremes of all ranks, from their packed ones one after the other.
Extremes merged(std::span<const double> packed_extremes);

/// Sets those of the charges that lie in the box; all other points become zero.
void set_charges(const Extremes& extremes, int edge_bits, const Box& box, Grid& grid);

}  // namespace tasuki::npb::mg
