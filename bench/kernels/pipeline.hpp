// The loop of the Parallel Research Kernels' pipeline (p2p; Van der Wijngaart and Mattson, HPEC
// 2014) around the messages: each element follows from those above, on the left, and between. A
// rank has some columns, and can do a row when the rank on its left has done it.
//
// Included by its forms, so that these differ in nothing else. Thread-safety: values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tasuki::bench::kernels {

/// Of each rank.
constexpr std::int64_t pipeline_columns = 200;

class Pipeline {
 public:
  explicit Pipeline(int rank)
      : is_first_(rank == 0), above_(pipeline_columns + 1), row_(above_.size()) {
    for (std::size_t i = 0; i < above_.size(); ++i) {
      above_[i] = static_cast<double>(rank * pipeline_columns + static_cast<std::int64_t>(i) - 1);
    }
  }

  /// `left` is the last element of the rank on the left. Returns: that of this one.
  double next_row(std::int64_t number, double left) {
    row_[0] = left;
    std::size_t i = 1;
    if (is_first_) row_[i++] = static_cast<double>(number);
    for (; i < row_.size(); ++i) row_[i] = above_[i] + row_[i - 1] - above_[i - 1];
    above_.swap(row_);
    return above_.back();
  }
  /// By the same rule each element is the sum of its row's number and its column's.
  bool is_right(int rank, std::int64_t rows) const {
    return above_.back() == static_cast<double>(rows - 1 + pipeline_columns * (rank + 1) - 1);
  }

 private:
  bool is_first_;
  std::vector<double> above_, row_;
};

}  // namespace tasuki::bench::kernels
