#include "npb/cg/vector_operations.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace tasuki::npb::cg {
namespace {

constexpr std::size_t lanes = 4;

/// Sums term(0) .. term(count - 1) in four parts.
template <class Term>
double sum(std::size_t count, Term&& term) noexcept {
  std::array<double, lanes> part{};
  std::size_t k = 0;
  for (; k + lanes <= count; k += lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane) part[lane] += term(k + lane);
  for (; k < count; ++k) part[0] += term(k);
  return (part[0] + part[1]) + (part[2] + part[3]);
}

}  // namespace

double dot(std::span<const double> a, std::span<const double> b) noexcept {
  return sum(a.size(), [&](std::size_t k) { return a[k] * b[k]; });
}

double step(double alpha, std::span<const double> p, std::span<const double> q, std::span<double> z,
            std::span<double> r) noexcept {
  for (std::size_t k = 0; k < z.size(); ++k) z[k] += alpha * p[k];
  return sum(r.size(), [&](std::size_t k) {
    r[k] -= alpha * q[k];
    return r[k] * r[k];
  });
}

void next_direction(double beta, std::span<const double> r, std::span<double> p) noexcept {
  for (std::size_t k = 0; k < p.size(); ++k) p[k] = r[k] + beta * p[k];
}

double squared_distance(std::span<const double> a, std::span<const double> b) noexcept {
  return sum(a.size(), [&](std::size_t k) { return (a[k] - b[k]) * (a[k] - b[k]); });
}

void scale(double factor, std::span<const double> source, std::span<double> target) noexcept {
  for (std::size_t k = 0; k < target.size(); ++k) target[k] = factor * source[k];
}

void add_parts(std::span<const double> first, std::span<const double> others,
               std::span<double> product) noexcept {
  std::copy(first.begin(), first.end(), product.begin());
  for (std::size_t begin = 0; begin < others.size(); begin += product.size())
    for (std::size_t k = 0; k < product.size(); ++k) product[k] += others[begin + k];
}

}  // namespace tasuki::npb::cg
