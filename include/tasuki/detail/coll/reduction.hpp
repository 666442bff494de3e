// Reduction operations: typed binary operators made into plain function pointers.
//
// The runtime calls `reduce_op<T>(Sum{})`, or with any callable that makes one T of two, and hands
// the result to an executor, which applies it to arrays.
// Thread-safety: values; the operator is called from the rank's own thread.
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <type_traits>

#include <tasuki/detail/base/arithmetic.hpp>
#include <tasuki/operators.hpp>

namespace tasuki::coll {

/// What the operand arrays of a ReduceOp are aligned to, however much their elements want: they may
/// lie in a cache line beside its flag, in a message or in scratch memory.
inline constexpr std::size_t operand_alignment = 8;

/// A type-erased elementwise operator on arrays. Operand arrays do not overlap. What is known about
/// it (is_commutative, arithmetic_of) belongs to the shape of the call.
/// Requires: both are aligned to the smaller of operand_alignment and what their elements want.
struct ReduceOp {
  /// in_out[i] = left[i] OP in_out[i].
  void (*apply)(const void* left, void* in_out, std::size_t count, const void* state) = nullptr;
  /// in_out[i] = in_out[i] OP right[i].
  void (*apply_right)(const void* right, void* in_out, std::size_t count,
                      const void* state) = nullptr;
  const void* state = nullptr;  ///< The callable; must outlive the operation.
  std::size_t element_bytes = 0;
};

/// A callable that combines two values of T into one; associative (else the result depends on
/// the algorithm, though never on the rank that reads it).
template <class Op, class T>
concept ReductionOperator = std::is_trivially_copyable_v<T> && requires(const Op& op, const T& a) {
  { op(a, a) } -> std::convertible_to<T>;
};

namespace detail {

template <class Op, class... Known>
inline constexpr bool is_one_of = (std::is_same_v<Op, Known> || ...);

}  // namespace detail

/// What is known about an operator: its own word (`Op::commutative`), and the standard library's
/// function objects on arithmetic types. Everything else is taken as not commutative.
template <class Op, class T>
constexpr bool is_commutative() {
  if constexpr (requires {
                  { Op::commutative } -> std::convertible_to<bool>;
                }) {
    return Op::commutative;
  } else if constexpr (std::is_arithmetic_v<T>) {
    return detail::is_one_of<Op, std::plus<>, std::plus<T>, std::multiplies<>, std::multiplies<T>,
                             std::bit_and<>, std::bit_and<T>, std::bit_or<>, std::bit_or<T>,
                             std::bit_xor<>, std::bit_xor<T>, std::logical_and<>,
                             std::logical_or<>>;
  } else {
    return false;
  }
}

/// The operator's name. Types are listed rather than asked: one that derives from Sum, say, may
/// compute something else.
template <class Op, class T>
constexpr base::Operator operator_of() {
  using enum base::Operator;
  if (detail::is_one_of<Op, Sum, std::plus<>, std::plus<T>>) return sum;
  if (detail::is_one_of<Op, Product, std::multiplies<>, std::multiplies<T>>) return product;
  if (detail::is_one_of<Op, Min>) return minimum;
  if (detail::is_one_of<Op, Max>) return maximum;
  if (detail::is_one_of<Op, LogicalAnd>) return logical_and;
  if (detail::is_one_of<Op, LogicalOr>) return logical_or;
  if (detail::is_one_of<Op, LogicalXor>) return logical_xor;
  if (detail::is_one_of<Op, BitwiseAnd, std::bit_and<>, std::bit_and<T>>) return bitwise_and;
  if (detail::is_one_of<Op, BitwiseOr, std::bit_or<>, std::bit_or<T>>) return bitwise_or;
  if (detail::is_one_of<Op, BitwiseXor, std::bit_xor<>, std::bit_xor<T>>) return bitwise_xor;
  return other;
}

/// What the operator computes on elements of T, if that has a name. For numbers with a fraction
/// only where the outcome is one of them; minima and maxima of numbers without a sign have none,
/// for MPI_MIN and MPI_MAX of MPICH 4.0.2 take those for numbers with one.
template <class Op, class T>
constexpr base::Arithmetic arithmetic_of() {
  using base::Operator;
  const Operator op = operator_of<Op, T>();
  const bool orders = op == Operator::minimum || op == Operator::maximum;
  const bool is_for_integers = op >= Operator::logical_and;
  const bool is_usable =
      is_for_integers ? std::is_integral_v<T> : !(orders && std::is_unsigned_v<T>);
  return {base::element_type_of<T>(), is_usable ? op : Operator::other};
}

/// Operators without state are made where they are used; others are found through a pointer.
template <class Op>
concept Stateless = std::is_empty_v<Op> && std::is_default_constructible_v<Op>;

namespace detail {

template <class T, class Op>
T combine(const void* state, const T& a, const T& b) {
  if constexpr (Stateless<Op>) {
    return static_cast<T>(Op{}(a, b));
  } else {
    return static_cast<T>((*static_cast<const Op*>(state))(a, b));
  }
}

/// A copy, which is aligned, of an element that need not be.
template <class T>
T aligned_copy(const std::byte* at) {
  std::array<std::byte, sizeof(T)> bytes;
  std::memcpy(bytes.data(), at, sizeof(T));
  return std::bit_cast<T>(bytes);
}

/// in_out[i] = other[i] OP in_out[i] or, unless `other_is_left`, in_out[i] OP other[i].
template <class T, class Op, bool other_is_left>
void combine_all(const void* other, void* in_out, std::size_t count, const void* state) {
  const auto combined = [state](const T& theirs, const T& mine) {
    return other_is_left ? combine<T, Op>(state, theirs, mine)
                         : combine<T, Op>(state, mine, theirs);
  };
  if constexpr (alignof(T) <= operand_alignment) {
    const T* __restrict from = static_cast<const T*>(other);
    T* __restrict to = static_cast<T*>(in_out);
    for (std::size_t i = 0; i < count; ++i) to[i] = combined(from[i], to[i]);
  } else {
    const auto* __restrict from = static_cast<const std::byte*>(other);
    auto* __restrict to = static_cast<std::byte*>(in_out);
    for (std::size_t end = count * sizeof(T), at = 0; at < end; at += sizeof(T)) {
      const T result = combined(aligned_copy<T>(from + at), aligned_copy<T>(to + at));
      std::memcpy(to + at, &result, sizeof(T));
    }
  }
}

}  // namespace detail

/// The array form of `op` on elements of T. An operator with state is kept by pointer and must
/// outlive the result; one without may be a temporary.
template <class T, ReductionOperator<T> Op>
ReduceOp reduce_op(const Op& op) {
  ReduceOp erased;
  erased.apply = &detail::combine_all<T, Op, true>;
  erased.apply_right = &detail::combine_all<T, Op, false>;
  erased.state = Stateless<Op> ? nullptr : static_cast<const void*>(&op);
  erased.element_bytes = sizeof(T);
  return erased;
}

/// A temporary operator with state would be gone before it is used.
template <class Op>
concept Stateful = !Stateless<Op>;
template <class T, Stateful Op>
ReduceOp reduce_op(const Op&& op) = delete;

}  // namespace tasuki::coll
