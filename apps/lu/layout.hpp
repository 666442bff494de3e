// Who has which columns: blocks of columns go round the ranks.
//
// Used by the factorisation and its communication. Thread-safety: a value.
#pragma once

#include <algorithm>
#include <tasuki/detail/layout/axis.hpp>

namespace tasuki::lu {

class Layout {
 public:
  Layout(int n, int block, int ranks)
      : n_(n), block_(std::min(block, n)), columns_(n, layout::BlockCyclic{block_}, ranks) {}

  int n() const noexcept { return n_; }
  int block() const noexcept { return block_; }
  int block_count() const noexcept { return (n_ + block_ - 1) / block_; }
  int owner(int index) const noexcept { return columns_.owner(begin(index)); }
  /// First column of a block, in the whole matrix; n for the block after the last.
  int begin(int index) const noexcept { return std::min(n_, index * block_); }
  int width(int index) const noexcept { return begin(index + 1) - begin(index); }
  /// First column, in the owner's part, of the blocks of `rank` from block `index` on.
  int local_begin(int rank, int index) const noexcept {
    return static_cast<int>(columns_.local_begin(rank, begin(index)));
  }
  int local_columns(int rank) const noexcept {
    return static_cast<int>(columns_.local_extent(rank));
  }
  /// The place of a column of the rank's part in the whole matrix.
  int column_of(int rank, int local_column) const noexcept {
    return static_cast<int>(columns_.global_index(rank, local_column));
  }

 private:
  int n_;
  int block_;
  layout::Axis columns_;
};

}  // namespace tasuki::lu
