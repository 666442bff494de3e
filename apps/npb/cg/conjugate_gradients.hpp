// Conjugate gradients on one rank's part of a symmetric matrix and of the vectors.
//
// Algorithm: Hestenes, Stiefel, Methods of conjugate gradients for solving linear systems, J.
// Research of the National Bureau of Standards 49, 1952. All communication goes through an
// Exchange. Used by NPB CG's solver and by the served routine. Thread-safety: one per rank; its
// calls are collective over the ranks of the exchange.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <span>
#include <utility>

#include "common/simulated_work.hpp"
#include "npb/cg/layout.hpp"
#include "npb/cg/sparse_matrix.hpp"
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
class ConjugateGradients {
 public:
  /// `matrix` is this rank's block.
  ConjugateGradients(SparseMatrix matrix, const Layout& layout, E& exchange)
      : exchange_(exchange),
        matrix_(std::move(matrix)),
        folds_(layout.grid_columns() > 1),
        partial_(folds_ ? static_cast<std::size_t>(layout.rows().size()) : 0),
        q_(static_cast<std::size_t>(layout.segment().size())),
        r_(q_.size()) {}

  /// Starts from z = 0, on the way to A z = b. Returns: |b|^2.
  double begin(std::span<const double> b, std::span<double> z) {
    std::fill(z.begin(), z.end(), 0.0);
    std::copy(b.begin(), b.end(), r_.begin());
    std::copy(b.begin(), b.end(), exchange_.segment().begin());
    rho_ = sum(dot(r_, r_));
    return rho_;
  }

  /// Brings z nearer. Returns: |b - A z|^2, as far as rounding lets the recurrence know it.
  double step(std::span<double> z) {
    const std::span<double> p = exchange_.segment();
    multiply(q_);
    curvature_ = sum(dot(p, q_));
    const double alpha = rho_ / curvature_;
    const double previous_rho = rho_;
    rho_ = sum(cg::step(alpha, p, q_, z, r_));
    next_direction(rho_ / previous_rho, r_, p);
    apps::spend_simulated_ns(vectors_ns * static_cast<double>(p.size()));
    return rho_;
  }

  /// p A p of the last step, for its direction p: greater than 0 if A is positive definite.
  double curvature() const noexcept { return curvature_; }

  /// |b - A z|. Ends the steps: begin again.
  double residual(std::span<const double> b, std::span<const double> z) {
    std::copy(z.begin(), z.end(), exchange_.segment().begin());
    multiply(q_);
    return std::sqrt(sum(squared_distance(b, q_)));
  }

  /// Spoils one element of this rank's matrix.
  void perturb() noexcept { matrix_.values.front() *= 1 + 1e-3; }

 private:
  /// For simulation: a product, for each element of the matrix, and the vector operations of a
  /// step, for each row. (Xeon, Sapphire Rapids, class A, one rank; with class S 0.36 ns for an
  /// element. Together 99 % of the timed part.)
  static constexpr double product_ns = 0.6;
  static constexpr double vectors_ns = 2.6;

  /// q = A p, p being the exchange's segment.
  void multiply(std::span<double> product) {
    exchange_.expand();
    matrix_.multiply(exchange_.columns(), folds_ ? std::span(partial_) : product);
    apps::spend_simulated_ns(product_ns * static_cast<double>(matrix_.values.size()));
    if (folds_) exchange_.fold(partial_, product);
  }

  double sum(double value) {
    exchange_.sum(std::span(&value, 1));
    return value;
  }

  E& exchange_;
  SparseMatrix matrix_;
  bool folds_;
  apps::HugeArray<double> partial_;
  apps::HugeArray<double> q_;
  apps::HugeArray<double> r_;
  double rho_ = 0;
  double curvature_ = 0;
};

}  // namespace tasuki::npb::cg
