// NPB CG on one rank: the power method with conjugate gradients inside.
//
// Algorithm: Bailey et al., The NAS Parallel Benchmarks, RNR-94-007, 1994, section 2.3.5. All
// communication goes through an Exchange; the solver never knows which.
// Thread-safety: one Solver per rank; its calls are collective over the ranks of the exchange.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>

#include "common/simulated_work.hpp"
#include "npb/cg/matrix_generator.hpp"
#include "npb/cg/vector_operations.hpp"

namespace tasuki::npb::cg {

/// The communication of CG. All but the first two are collective.
template <class E>
concept Exchange = requires(E exchange, std::span<const double> partial, std::span<double> product,
                            std::span<double> sums) {
  /// This rank's segment of the vector to be multiplied, and the columns of all its grid column,
  /// of which that segment is a part.
  { exchange.segment() } -> std::same_as<std::span<double>>;
  { exchange.columns() } -> std::same_as<std::span<const double>>;
  /// Fills `columns` with the segments of this grid column.
  exchange.expand();
  /// Sums the partial products of the grid row; `product` gets this rank's segment.
  exchange.fold(partial, product);
  /// Sums over all ranks, in place.
  exchange.sum(sums);
};

template <Exchange E>
class Solver {
 public:
  Solver(const Problem& problem, const Layout& layout, E& exchange)
      : problem_(problem),
        exchange_(exchange),
        matrix_(generate(problem, layout)),
        folds_(layout.grid_columns() > 1),
        partial_(folds_ ? static_cast<std::size_t>(layout.rows().size()) : 0) {
    const auto size = static_cast<std::size_t>(layout.segment().size());
    for (HugeArray<double>* vector : {&x_, &z_, &q_, &r_}) vector->resize(size);
    restart();
  }

  /// Starts again from the vector of ones.
  void restart() noexcept { std::fill(x_.begin(), x_.end(), 1.0); }

  /// `count` iterations of the power method. Returns: the estimate of the eigenvalue.
  double iterate(int count) {
    double zeta = 0;
    for (int iteration = 0; iteration < count; ++iteration) {
      residual_ = solve();
      std::array products{dot(x_, z_), dot(z_, z_)};
      exchange_.sum(products);
      zeta = problem_.shift + 1.0 / products[0];
      scale(1.0 / std::sqrt(products[1]), z_, x_);
    }
    return zeta;
  }

  /// |x - A z| of the last iteration.
  double residual() const noexcept { return residual_; }

  /// Spoils one element of this rank's matrix.
  void perturb() noexcept { matrix_.values.front() *= 1 + 1e-3; }

 private:
  /// For simulation: a product, for each element of the matrix, and the vector operations of a
  /// conjugate gradient step, for each row. (Xeon, Sapphire Rapids, class A, one rank; with class S
  /// 0.36 ns for an element. Together 99 % of the timed part.)
  static constexpr double product_ns = 0.6;
  static constexpr double vectors_ns = 2.6;

  /// q = A p, p being the exchange's segment.
  void multiply(std::span<double> product) {
    exchange_.expand();
    matrix_.multiply(exchange_.columns(), folds_ ? std::span(partial_) : product);
    spend_simulated_ns(product_ns * static_cast<double>(matrix_.values.size()));
    if (folds_) exchange_.fold(partial_, product);
  }

  double sum(double value) {
    exchange_.sum(std::span(&value, 1));
    return value;
  }

  /// Approximates z = A^-1 x by conjugate gradients. Returns: |x - A z|.
  double solve() {
    const std::span<double> p = exchange_.segment();
    std::fill(z_.begin(), z_.end(), 0.0);
    std::copy(x_.begin(), x_.end(), r_.begin());
    std::copy(x_.begin(), x_.end(), p.begin());
    double rho = sum(dot(r_, r_));
    for (int count = 0; count < problem_.solver_steps; ++count) {
      multiply(q_);
      const double alpha = rho / sum(dot(p, q_));
      const double previous_rho = rho;
      rho = sum(step(alpha, p, q_, z_, r_));
      next_direction(rho / previous_rho, r_, p);
      spend_simulated_ns(vectors_ns * static_cast<double>(p.size()));
    }
    std::copy(z_.begin(), z_.end(), p.begin());
    multiply(q_);
    return std::sqrt(sum(squared_distance(x_, q_)));
  }

  Problem problem_;
  E& exchange_;
  SparseMatrix matrix_;
  bool folds_;
  HugeArray<double> partial_;
  HugeArray<double> x_;
  HugeArray<double> z_;
  HugeArray<double> q_;
  HugeArray<double> r_;
  double residual_ = 0;
};

}  // namespace tasuki::npb::cg
