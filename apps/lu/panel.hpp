// A factored block of columns on its way: what lies on and below the diagonal, and the exchanges
// of rows, in one piece of memory that is sent as it is.
//
// Packed by its owner, applied by all. Thread-safety: views; who packs must be the only user.
#pragma once

#include <span>

#include "lu/blas.hpp"
#include "lu/layout.hpp"

namespace tasuki::lu {

/// How many doubles the panel of block `index` is.
inline std::size_t panel_size(const Layout& layout, int index) noexcept {
  const auto width = static_cast<std::size_t>(layout.width(index));
  return width + width * static_cast<std::size_t>(layout.n() - layout.begin(index));
}
/// The largest one.
inline std::size_t most_panel_size(const Layout& layout) noexcept { return panel_size(layout, 0); }

/// A panel in `memory`: first the pivots, as doubles, then the columns.
class Panel {
 public:
  Panel(const Layout& layout, int index, std::span<const double> memory) noexcept
      : width_(layout.width(index)),
        rows_(layout.n() - layout.begin(index)),
        memory_(const_cast<double*>(memory.data())) {}

  int width() const noexcept { return width_; }
  int pivot(int column) const noexcept { return static_cast<int>(memory_[column]); }
  void set_pivot(int column, int row) noexcept { memory_[column] = row; }
  Matrix columns() const noexcept { return {memory_ + width_, rows_, width_, rows_}; }
  Matrix triangle() const noexcept { return columns().part(0, 0, width_, width_); }
  Matrix below() const noexcept { return columns().part(width_, 0, rows_ - width_, width_); }

 private:
  int width_;
  int rows_;
  double* memory_;
};

}  // namespace tasuki::lu
