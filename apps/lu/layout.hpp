// Who has which columns: blocks of columns go round the ranks.
//
// Used by the factorisation and its communication. Thread-safety: a value.
#pragma once

#include <algorithm>

namespace tasuki::lu {

class Layout {
 public:
  Layout(int n, int block, int ranks) noexcept : n_(n), block_(std::min(block, n)), ranks_(ranks) {}

  int n() const noexcept { return n_; }
  int block() const noexcept { return block_; }
  int ranks() const noexcept { return ranks_; }
  int block_count() const noexcept { return (n_ + block_ - 1) / block_; }
  int owner(int index) const noexcept { return index % ranks_; }
  /// First column of a block, in the whole matrix; n for the block after the last.
  int begin(int index) const noexcept { return std::min(n_, index * block_); }
  int width(int index) const noexcept { return begin(index + 1) - begin(index); }
  /// First column, in the owner's part, of the blocks of `rank` from block `index` on.
  int local_begin(int rank, int index) const noexcept {
    const int blocks = index <= rank ? 0 : (index - rank + ranks_ - 1) / ranks_;
    const bool has_last = owner(block_count() - 1) == rank && index >= block_count();
    return blocks * block_ - (has_last ? block_ - width(block_count() - 1) : 0);
  }
  int local_columns(int rank) const noexcept { return local_begin(rank, block_count()); }
  /// The block that a column of the rank's part belongs to.
  int block_of(int rank, int local_column) const noexcept {
    return local_column / block_ * ranks_ + rank;
  }
  /// The place of a column of the rank's part in the whole matrix.
  int column_of(int rank, int local_column) const noexcept {
    return begin(block_of(rank, local_column)) + local_column % block_;
  }

 private:
  int n_;
  int block_;
  int ranks_;
};

}  // namespace tasuki::lu
