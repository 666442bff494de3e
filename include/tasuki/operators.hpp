// The operators of reductions: what reduce, allreduce, reduce_scatter, scan and exscan take.
//
// Any associative callable that makes one T of two is an operator, too. It is applied in the order
// of the ranks unless it says that it commutes, as those below do
// (`static constexpr bool commutative = true;`), or is one of the standard library's that do
// (std::plus<> and the like) on numbers.
//     const double most = tasuki::allreduce(0.5 * tasuki::rank(), tasuki::Max{});
//     const auto last = [](int, int right) { return right; };
//     const int of_last_rank = tasuki::allreduce(tasuki::rank(), last);
// Thread-safety: values.
#pragma once

#include <concepts>
#include <cstdint>

namespace tasuki {

struct Sum {
  static constexpr bool commutative = true;
  template <class T>
  constexpr T operator()(const T& a, const T& b) const {
    return static_cast<T>(a + b);
  }
};

struct Product {
  static constexpr bool commutative = true;
  template <class T>
  constexpr T operator()(const T& a, const T& b) const {
    return static_cast<T>(a * b);
  }
};

struct Min {
  static constexpr bool commutative = true;
  template <class T>
  constexpr T operator()(const T& a, const T& b) const {
    return b < a ? b : a;
  }
};

struct Max {
  static constexpr bool commutative = true;
  template <class T>
  constexpr T operator()(const T& a, const T& b) const {
    return a < b ? b : a;
  }
};

struct LogicalAnd {
  static constexpr bool commutative = true;
  template <class T>
  constexpr T operator()(const T& a, const T& b) const {
    return static_cast<T>(static_cast<bool>(a) && static_cast<bool>(b));
  }
};

struct LogicalOr {
  static constexpr bool commutative = true;
  template <class T>
  constexpr T operator()(const T& a, const T& b) const {
    return static_cast<T>(static_cast<bool>(a) || static_cast<bool>(b));
  }
};

struct LogicalXor {
  static constexpr bool commutative = true;
  template <class T>
  constexpr T operator()(const T& a, const T& b) const {
    return static_cast<T>(static_cast<bool>(a) != static_cast<bool>(b));
  }
};

struct BitwiseAnd {
  static constexpr bool commutative = true;
  template <std::integral T>
  constexpr T operator()(T a, T b) const {
    return static_cast<T>(a & b);
  }
};

struct BitwiseOr {
  static constexpr bool commutative = true;
  template <std::integral T>
  constexpr T operator()(T a, T b) const {
    return static_cast<T>(a | b);
  }
};

struct BitwiseXor {
  static constexpr bool commutative = true;
  template <std::integral T>
  constexpr T operator()(T a, T b) const {
    return static_cast<T>(a ^ b);
  }
};

/// A value and where it is, for MinLocation and MaxLocation.
///     const tasuki::Located<double> mine{0.5, tasuki::rank()};
///     const auto [least, its_rank] = tasuki::allreduce(mine, tasuki::MinLocation{});
template <class T>
struct Located {
  T value;
  std::int64_t location;
  bool operator==(const Located&) const = default;
};

/// The smaller value; of equal values the one at the smaller location.
struct MinLocation {
  static constexpr bool commutative = true;
  template <class T>
  constexpr Located<T> operator()(const Located<T>& a, const Located<T>& b) const {
    if (a.value < b.value) return a;
    if (b.value < a.value) return b;
    return b.location < a.location ? b : a;
  }
};

/// The larger value; of equal values the one at the smaller location.
struct MaxLocation {
  static constexpr bool commutative = true;
  template <class T>
  constexpr Located<T> operator()(const Located<T>& a, const Located<T>& b) const {
    if (b.value < a.value) return a;
    if (a.value < b.value) return b;
    return b.location < a.location ? b : a;
  }
};

}  // namespace tasuki
