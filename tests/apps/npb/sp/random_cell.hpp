// A cell for tests: the exact solution, and a random right side.
//
// Thread-safety: a pure function.
#pragma once

#include "npb/common/random.hpp"
#include "npb/sp/exact_solution.hpp"

namespace tasuki::npb::sp {

inline Cell random_cell(std::int64_t edge, const Box& box) {
  Cell cell(box, edge);
  set_exact_solution(edge, cell);
  RandomStream random;
  const Span range = cell.interior(x_axis);
  for_each_line(cell, [&](std::ptrdiff_t y, std::ptrdiff_t z) {
    for (std::size_t m = 0; m < component_count; ++m)
      for (std::ptrdiff_t x = range.begin; x < range.end; ++x)
        cell.line(right_side + m, y, z)[x] = random.next() - 0.5;
  });
  return cell;
}

}  // namespace tasuki::npb::sp
