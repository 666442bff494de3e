// The loops of the Parallel Research Kernels' transpose (Van der Wijngaart and Mattson, HPEC 2014)
// around the exchange: B += transposed A, then A += 1, several times. Each rank has some columns.
//
// Included by its forms, so that these differ in nothing else. Thread-safety: values.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tasuki::bench::kernels {

constexpr int transpose_iterations = 10;

class Transpose {
 public:
  /// Of at least `size` x `size` elements.
  Transpose(int rank, int ranks, std::int64_t size)
      : ranks_(static_cast<std::size_t>(ranks)),
        columns_((static_cast<std::size_t>(size) + ranks_ - 1) / ranks_),
        order_(columns_ * ranks_),
        first_column_(static_cast<std::size_t>(rank) * columns_),
        a_(order_ * columns_),
        b_(order_ * columns_) {
    for (std::size_t j = 0; j < columns_; ++j) {
      for (std::size_t i = 0; i < order_; ++i) a_[j * order_ + i] = value(i, first_column_ + j);
    }
  }

  /// Elements that go to each rank, and come from each.
  std::size_t block_elements() const { return columns_ * columns_; }
  std::size_t elements() const { return a_.size(); }

  /// Writes what goes to each rank into `blocks`, one after the other, transposed.
  void pack(double* blocks) const {
    for (std::size_t other = 0; other < ranks_; ++other) {
      const double* from = a_.data() + other * columns_;
      double* to = blocks + other * block_elements();
      in_tiles([&](std::size_t i, std::size_t j) { to[i * columns_ + j] = from[j * order_ + i]; });
    }
  }
  /// Adds what has come from each rank, and 1 to A.
  void add(const double* blocks) {
    for (std::size_t other = 0; other < ranks_; ++other) {
      const double* from = blocks + other * block_elements();
      double* to = b_.data() + other * columns_;
      for (std::size_t j = 0; j < columns_; ++j) {
        for (std::size_t i = 0; i < columns_; ++i) to[j * order_ + i] += from[j * columns_ + i];
      }
    }
    for (double& one : a_) one += 1;
  }
  bool is_right() const {
    constexpr double sum_of_steps = transpose_iterations * (transpose_iterations - 1) / 2.0;
    for (std::size_t j = 0; j < columns_; ++j) {
      for (std::size_t i = 0; i < order_; ++i) {
        const double expected = transpose_iterations * value(first_column_ + j, i) + sum_of_steps;
        if (b_[j * order_ + i] != expected) return false;
      }
    }
    return true;
  }

 private:
  double value(std::size_t row, std::size_t column) const {
    return static_cast<double>(row + order_ * column);
  }
  /// Tiles of 32 x 32 elements, so that both sides stay in the first cache.
  template <class Visit>
  void in_tiles(Visit visit) const {
    constexpr std::size_t tile = 32;
    for (std::size_t jj = 0; jj < columns_; jj += tile) {
      for (std::size_t ii = 0; ii < columns_; ii += tile) {
        for (std::size_t j = jj; j < std::min(jj + tile, columns_); ++j) {
          for (std::size_t i = ii; i < std::min(ii + tile, columns_); ++i) visit(i, j);
        }
      }
    }
  }

  std::size_t ranks_, columns_, order_, first_column_;
  std::vector<double> a_, b_;
};

}  // namespace tasuki::bench::kernels
