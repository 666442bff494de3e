// The vector operations of conjugate gradients, on one rank's segments.
//
// Sums are taken in four parts, so that an addition need not wait for the one before; the same
// parts on every transport. Thread-safety: pure functions on their arguments.
#pragma once

#include <span>

namespace tasuki::npb::cg {

/// Returns: the scalar product. Requires: equal sizes (here and below).
double dot(std::span<const double> a, std::span<const double> b) noexcept;

/// z += alpha p, r -= alpha q. Returns: r . r.
double step(double alpha, std::span<const double> p, std::span<const double> q, std::span<double> z,
            std::span<double> r) noexcept;

/// p = r + beta p.
void next_direction(double beta, std::span<const double> r, std::span<double> p) noexcept;

/// Returns: |a - b|^2.
double squared_distance(std::span<const double> a, std::span<const double> b) noexcept;

/// target = factor * source.
void scale(double factor, std::span<const double> source, std::span<double> target) noexcept;

/// product = first + the parts that stand one after the other in `others`.
/// Requires: the size of `others` is a multiple of `product`'s.
void add_parts(std::span<const double> first, std::span<const double> others,
               std::span<double> product) noexcept;

}  // namespace tasuki::npb::cg
