#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "checker.hpp"

namespace tasuki::coll::checker {
namespace {

struct Matrix {
  std::array<std::uint8_t, 4> entries;
};

struct MatrixProduct {
  Matrix operator()(const Matrix& a, const Matrix& b) const {
    const auto dot = [](unsigned x1, unsigned y1, unsigned x2, unsigned y2) {
      return static_cast<std::uint8_t>((x1 * y1 + x2 * y2) % 251);
    };
    const auto& x = a.entries;
    const auto& y = b.entries;
    return {{dot(x[0], y[0], x[1], y[2]), dot(x[0], y[1], x[1], y[3]), dot(x[2], y[0], x[3], y[2]),
             dot(x[2], y[1], x[3], y[3])}};
  }
};

void generate_integer(std::uint64_t random, std::byte* element) {
  const auto value = static_cast<std::uint32_t>(random >> 16);
  std::memcpy(element, &value, sizeof value);
}

/// Of determinant 1, so that no product forgets what came before.
void generate_matrix(std::uint64_t random, std::byte* element) {
  const auto a = static_cast<std::uint8_t>((random >> 8) % 251);
  const auto b = static_cast<std::uint8_t>((random >> 24) % 251);
  const Matrix lower{{1, 0, a, 1}};
  const Matrix upper{{1, b, 0, 1}};
  const Matrix product = MatrixProduct{}(lower, upper);
  std::memcpy(element, &product, sizeof product);
}

struct OrderShowing {
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const {
    return (a * 2654435761U) ^ std::rotl(b * 2246822519U, 13);
  }
};

void generate_double(std::uint64_t random, std::byte* element) {
  const double value =
      std::ldexp(static_cast<double>(random >> 11) - 0x1p52, static_cast<int>(random % 40) - 60);
  std::memcpy(element, &value, sizeof value);
}

}  // namespace

const Field& integers() {
  static const Field field{"integers", 4, reduce_op<std::uint32_t>(Sum{}), true, generate_integer};
  return field;
}

const Field& matrices() {
  static const Field field{"matrices", 4, reduce_op<Matrix>(MatrixProduct{}), false,
                           generate_matrix};
  return field;
}

const Field& orders() {
  static const Field field{"orders", 4, reduce_op<std::uint32_t>(OrderShowing{}), true,
                           generate_integer};
  return field;
}

const Field& doubles() {
  static const Field field{"doubles", 8, reduce_op<double>(Sum{}), true, generate_double};
  return field;
}

}  // namespace tasuki::coll::checker
