// NPB CG on one rank: the power method with conjugate gradients inside.
//
// Algorithm: Bailey et al., The NAS Parallel Benchmarks, RNR-94-007, 1994, section 2.3.5. All
// communication goes through an Exchange; the solver never knows which.
// Thread-safety: one Solver per rank; its calls are collective over the ranks of the exchange.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "npb/cg/conjugate_gradients.hpp"
#include "npb/cg/matrix_generator.hpp"

namespace tasuki::npb::cg {

template <Exchange E>
class Solver {
 public:
  Solver(const Problem& problem, const Layout& layout, E& exchange)
      : problem_(problem),
        exchange_(exchange),
        gradients_(generate(problem, layout), layout, exchange),
        x_(static_cast<std::size_t>(layout.segment().size())),
        z_(x_.size()) {
    restart();
  }

  /// Starts again from the vector of ones.
  void restart() noexcept { std::fill(x_.begin(), x_.end(), 1.0); }

  /// `count` iterations of the power method. Returns: the estimate of the eigenvalue.
  double iterate(int count) {
    double zeta = 0;
    for (int iteration = 0; iteration < count; ++iteration) {
      gradients_.begin(x_, z_);
      for (int step = 0; step < problem_.solver_steps; ++step) gradients_.step(z_);
      residual_ = gradients_.residual(x_, z_);
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
  void perturb() noexcept { gradients_.perturb(); }

 private:
  Problem problem_;
  E& exchange_;
  ConjugateGradients<E> gradients_;
  HugeArray<double> x_;
  HugeArray<double> z_;
  double residual_ = 0;
};

}  // namespace tasuki::npb::cg
