// Reduction operations: typed binary operators made into plain function pointers.
//
// The runtime calls `reduce_op<T>(Sum{})`, or with any callable that makes one T of two, and hands
// the result to an executor, which applies it to arrays.
// Thread-safety: values; the operator is called from the rank's own thread.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>

#include <tasuki/base/arithmetic.hpp>

namespace tasuki::coll {

/// A type-erased elementwise operator on arrays. Operand arrays do not overlap.
struct ReduceOp {
  /// in_out[i] = left[i] OP in_out[i].
  void (*apply)(const void* left, void* in_out, std::size_t count, const void* state) = nullptr;
  /// in_out[i] = in_out[i] OP right[i].
  void (*apply_right)(const void* right, void* in_out, std::size_t count,
                      const void* state) = nullptr;
  const void* state = nullptr;  ///< The callable; must outlive the operation.
  std::size_t element_bytes = 0;
  bool commutative = false;
  base::Arithmetic arithmetic;  ///< What it computes, if that has a name.
};

/// A callable that combines two values of T into one; associative (else the result depends on
/// the algorithm, though never on the rank that looks at it).
template <class Op, class T>
concept ReductionOperator = std::is_trivially_copyable_v<T> && requires(const Op& op, const T& a) {
  { op(a, a) } -> std::convertible_to<T>;
};

struct Sum {
  static constexpr bool commutative = true;
  static constexpr auto name = base::Operator::sum;
  template <class T>
  constexpr T operator()(const T& a, const T& b) const {
    return static_cast<T>(a + b);
  }
};

struct Product {
  static constexpr bool commutative = true;
  static constexpr auto name = base::Operator::product;
  template <class T>
  constexpr T operator()(const T& a, const T& b) const {
    return static_cast<T>(a * b);
  }
};

struct Min {
  static constexpr bool commutative = true;
  static constexpr auto name = base::Operator::minimum;
  template <class T>
  constexpr T operator()(const T& a, const T& b) const {
    return b < a ? b : a;
  }
};

struct Max {
  static constexpr bool commutative = true;
  static constexpr auto name = base::Operator::maximum;
  template <class T>
  constexpr T operator()(const T& a, const T& b) const {
    return a < b ? b : a;
  }
};

struct LogicalAnd {
  static constexpr bool commutative = true;
  static constexpr auto name = base::Operator::logical_and;
  template <class T>
  constexpr T operator()(const T& a, const T& b) const {
    return static_cast<T>(static_cast<bool>(a) && static_cast<bool>(b));
  }
};

struct LogicalOr {
  static constexpr bool commutative = true;
  static constexpr auto name = base::Operator::logical_or;
  template <class T>
  constexpr T operator()(const T& a, const T& b) const {
    return static_cast<T>(static_cast<bool>(a) || static_cast<bool>(b));
  }
};

struct LogicalXor {
  static constexpr bool commutative = true;
  static constexpr auto name = base::Operator::logical_xor;
  template <class T>
  constexpr T operator()(const T& a, const T& b) const {
    return static_cast<T>(static_cast<bool>(a) != static_cast<bool>(b));
  }
};

struct BitwiseAnd {
  static constexpr bool commutative = true;
  static constexpr auto name = base::Operator::bitwise_and;
  template <std::integral T>
  constexpr T operator()(T a, T b) const {
    return static_cast<T>(a & b);
  }
};

struct BitwiseOr {
  static constexpr bool commutative = true;
  static constexpr auto name = base::Operator::bitwise_or;
  template <std::integral T>
  constexpr T operator()(T a, T b) const {
    return static_cast<T>(a | b);
  }
};

struct BitwiseXor {
  static constexpr bool commutative = true;
  static constexpr auto name = base::Operator::bitwise_xor;
  template <std::integral T>
  constexpr T operator()(T a, T b) const {
    return static_cast<T>(a ^ b);
  }
};

/// A value and where it is, for MinLocation and MaxLocation.
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

/// What is known about an operator: its own word (`Op::commutative`), and the standard library's
/// function objects on arithmetic types. Everything else is taken as not commutative.
template <class Op, class T>
constexpr bool is_commutative() {
  if constexpr (requires {
                  { Op::commutative } -> std::convertible_to<bool>;
                }) {
    return Op::commutative;
  } else if constexpr (std::is_arithmetic_v<T>) {
    const auto is = []<class... Known>(std::type_identity<Known>...) {
      return (std::is_same_v<Op, Known> || ...);
    };
    return is(std::type_identity<std::plus<>>{}, std::type_identity<std::plus<T>>{},
              std::type_identity<std::multiplies<>>{}, std::type_identity<std::multiplies<T>>{},
              std::type_identity<std::bit_and<>>{}, std::type_identity<std::bit_and<T>>{},
              std::type_identity<std::bit_or<>>{}, std::type_identity<std::bit_or<T>>{},
              std::type_identity<std::bit_xor<>>{}, std::type_identity<std::bit_xor<T>>{},
              std::type_identity<std::logical_and<>>{}, std::type_identity<std::logical_or<>>{});
  } else {
    return false;
  }
}

/// What the operator computes, by its own word (`Op::name`) or as one of the standard library's.
/// For numbers with a fraction only where the outcome is one of them.
template <class Op, class T>
constexpr base::Arithmetic arithmetic_of() {
  using base::Operator;
  const auto is = []<class... Known>(std::type_identity<Known>...) {
    return (std::is_same_v<Op, Known> || ...);
  };
  Operator op = Operator::other;
  if constexpr (requires { Op::name; }) {
    op = Op::name;
  } else if (is(std::type_identity<std::plus<>>{}, std::type_identity<std::plus<T>>{})) {
    op = Operator::sum;
  } else if (is(std::type_identity<std::multiplies<>>{},
                std::type_identity<std::multiplies<T>>{})) {
    op = Operator::product;
  } else if (is(std::type_identity<std::bit_and<>>{}, std::type_identity<std::bit_and<T>>{})) {
    op = Operator::bitwise_and;
  } else if (is(std::type_identity<std::bit_or<>>{}, std::type_identity<std::bit_or<T>>{})) {
    op = Operator::bitwise_or;
  } else if (is(std::type_identity<std::bit_xor<>>{}, std::type_identity<std::bit_xor<T>>{})) {
    op = Operator::bitwise_xor;
  }
  const bool is_for_integers = op >= Operator::logical_and;
  if (is_for_integers && !std::is_integral_v<T>) op = Operator::other;
  return {base::element_type_of<T>(), op};
}

/// Operators without state are made where they are used; others are found through a pointer.
template <class Op>
inline constexpr bool is_stateless = std::is_empty_v<Op>&& std::is_default_constructible_v<Op>;

namespace detail {

template <class T, class Op>
T combine(const void* state, const T& a, const T& b) {
  if constexpr (is_stateless<Op>) {
    return static_cast<T>(Op{}(a, b));
  } else {
    return static_cast<T>((*static_cast<const Op*>(state))(a, b));
  }
}

}  // namespace detail

/// The array form of `op` on elements of T. An operator with state is kept by pointer and must
/// outlive the result; one without may be a temporary.
template <class T, class Op>
requires ReductionOperator<Op, T> ReduceOp reduce_op(const Op& op,
                                                     bool commutative = is_commutative<Op, T>()) {
  ReduceOp erased;
  erased.apply = [](const void* left, void* in_out, std::size_t count, const void* state) {
    const T* __restrict from = static_cast<const T*>(left);
    T* __restrict to = static_cast<T*>(in_out);
    for (std::size_t i = 0; i < count; ++i) to[i] = detail::combine<T, Op>(state, from[i], to[i]);
  };
  erased.apply_right = [](const void* right, void* in_out, std::size_t count, const void* state) {
    const T* __restrict from = static_cast<const T*>(right);
    T* __restrict to = static_cast<T*>(in_out);
    for (std::size_t i = 0; i < count; ++i) to[i] = detail::combine<T, Op>(state, to[i], from[i]);
  };
  erased.state = is_stateless<Op> ? nullptr : static_cast<const void*>(&op);
  erased.element_bytes = sizeof(T);
  erased.commutative = commutative;
  erased.arithmetic = arithmetic_of<Op, T>();
  return erased;
}

/// A temporary operator with state would be gone before it is used.
template <class T, class Op>
requires(!is_stateless<Op>) ReduceOp reduce_op(const Op&& op, bool commutative = false)
= delete;

}  // namespace tasuki::coll
