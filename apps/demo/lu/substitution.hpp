// Solves equations with the factors of a matrix whose columns lie on several ranks.
//
// Used by the served routines of module lu. Collective: all ranks call it alike. Thread-safety: the
// rank's own thread.
#pragma once

#include <vector>

#include "lu/blas.hpp"
#include "lu/layout.hpp"

namespace tasuki::demo {

class Substitution {
 public:
  /// `factors` are this rank's columns of L and U.
  Substitution(const lu::Layout& layout, int rank, lu::Matrix factors) noexcept
      : layout_(layout), rank_(rank), factors_(factors) {}

  /// Is an element of U's diagonal zero, on any rank?
  bool is_singular() const;
  /// L U X = B: `b`, the same on all ranks, becomes X. Requires: !is_singular().
  void solve(lu::Matrix b);

 private:
  bool is_mine(int index) const noexcept { return layout_.owner(index) == rank_; }
  /// This rank's columns of block `index`, from a row on.
  lu::Matrix columns(int index, int row, int rows) const noexcept {
    return factors_.part(row, layout_.local_begin(rank_, index), rows, layout_.width(index));
  }
  /// All ranks get `part` as the owner of block `index` has it.
  void share(int index, lu::Matrix part);

  lu::Layout layout_;
  int rank_;
  lu::Matrix factors_;
  std::vector<double> shared_;
};

}  // namespace tasuki::demo
