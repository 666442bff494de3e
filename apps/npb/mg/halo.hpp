// The layer of the neighbours' points around a rank's box, and how it is filled.
//
// The axes take their turn, and each sends what the ones before have filled: so points beyond
// edges and corners need no messages of their own. Called by the solver. Thread-safety: one per
// rank; collective.
#pragma once

#include <cstddef>
#include <span>

#include "npb/mg/exchange.hpp"
#include "npb/mg/grid.hpp"

namespace tasuki::npb::mg {

/// Copies the points with the number `at` along the axis to `face`. Returns: how many.
std::size_t pack_face(const Grid& grid, Axis axis, std::size_t at, std::span<double> face);
/// The opposite.
void unpack_face(std::span<const double> face, Axis axis, std::size_t at, Grid& grid);
/// Fills the layer where this rank is its own neighbour along the axis.
void wrap_around(Axis axis, Grid& grid);

/// Of a grid that no other rank has a part of.
struct WholeHalo {
  void operator()(Grid& grid) const {
    for (const Axis axis : all_axes) wrap_around(axis, grid);
  }
};

/// Of a divided grid.
template <Exchange E>
class DividedHalo {
 public:
  DividedHalo(const Layout& layout, E& exchange) : layout_(layout), exchange_(exchange) {}

  void operator()(Grid& grid) const {
    for (const Axis axis : all_axes) {
      if (layout_.ranks_along(axis) == 1)
        wrap_around(axis, grid);
      else
        swap_faces(axis, grid);
    }
  }

 private:
  void swap_faces(Axis axis, Grid& grid) const {
    const std::size_t last = grid.extent(axis) - 1;
    pack_face(grid, axis, last - 1, exchange_.outbox(upper));
    const std::size_t count = pack_face(grid, axis, 1, exchange_.outbox(lower));
    exchange_.swap(axis, count);
    unpack_face(exchange_.inbox(lower), axis, 0, grid);
    unpack_face(exchange_.inbox(upper), axis, last, grid);
  }

  Layout layout_;
  E& exchange_;
};

}  // namespace tasuki::npb::mg
