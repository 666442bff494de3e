#include "python/reduction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <complex>
#include <cstdint>
#include <tasuki/detail/coll/reduction.hpp>
#include <tasuki/error.hpp>
#include <type_traits>

namespace tasuki::python {
namespace {

constexpr const char* operator_names[] = {"Sum",        "Product",    "Min",         "Max",
                                          "LogicalAnd", "LogicalOr",  "LogicalXor",  "BitwiseAnd",
                                          "BitwiseOr",  "BitwiseXor", "MinLocation", "MaxLocation"};

template <class T>
inline constexpr bool is_complex = false;
template <class T>
inline constexpr bool is_complex<std::complex<T>> = true;

/// Calls `use(Op{})` with the operator's type, if it applies to T. Returns: does it?
template <class T, class Use>
bool with_operator(Operator op, Use use) {
  if (op == Operator::sum) return use(Sum{});
  if (op == Operator::product) return use(Product{});
  if constexpr (!is_complex<T>) {
    switch (op) {
      case Operator::min:
        return use(Min{});
      case Operator::max:
        return use(Max{});
      case Operator::logical_and:
        return use(LogicalAnd{});
      case Operator::logical_or:
        return use(LogicalOr{});
      case Operator::logical_xor:
        return use(LogicalXor{});
      default:
        break;
    }
    if constexpr (std::is_integral_v<T>) {
      switch (op) {
        case Operator::bitwise_and:
          return use(BitwiseAnd{});
        case Operator::bitwise_or:
          return use(BitwiseOr{});
        case Operator::bitwise_xor:
          return use(BitwiseXor{});
        default:
          break;
      }
    }
  }
  return false;
}

template <class T>
bool set_typed(coll::Call& call, Operator op) {
  return with_operator<T>(op, [&]<class Op>(Op kind) {
    call.op = coll::reduce_op<T>(kind);
    call.shape.commutative = coll::is_commutative<Op, T>();
    call.shape.arithmetic = coll::arithmetic_of<Op, T>();
    return true;
  });
}

template <class T>
bool set_located(coll::Call& call, Operator op) {
  const auto set = [&]<class Op>(Op kind) {
    call.op = coll::reduce_op<Located<T>>(kind);
    call.shape.commutative = coll::is_commutative<Op, Located<T>>();
    return true;
  };
  if (op == Operator::min_location) return set(MinLocation{});
  return op == Operator::max_location && set(MaxLocation{});
}

using SetTyped = bool (*)(coll::Call&, Operator);
constexpr SetTyped none = [](coll::Call&, Operator) { return false; };
/// In the order of ElementKind.
constexpr SetTyped by_kind[] = {
    none,
    set_typed<bool>,
    set_typed<std::int8_t>,
    set_typed<std::int16_t>,
    set_typed<std::int32_t>,
    set_typed<std::int64_t>,
    set_typed<std::uint8_t>,
    set_typed<std::uint16_t>,
    set_typed<std::uint32_t>,
    set_typed<std::uint64_t>,
    set_typed<float>,
    set_typed<double>,
    set_typed<std::complex<float>>,
    set_typed<std::complex<double>>,
};

/// The same for the values of records as tasuki::Located.
constexpr SetTyped by_located_kind[] = {
    none,
    none,
    set_located<std::int8_t>,
    set_located<std::int16_t>,
    set_located<std::int32_t>,
    set_located<std::int64_t>,
    set_located<std::uint8_t>,
    set_located<std::uint16_t>,
    set_located<std::uint32_t>,
    set_located<std::uint64_t>,
    set_located<float>,
    set_located<double>,
    none,
    none,
};

bool is_aligned(const void* data, std::size_t element_bytes) {
  const std::size_t unit = std::min(element_bytes, coll::operand_alignment);
  return reinterpret_cast<std::uintptr_t>(data) % unit == 0;
}

}  // namespace

void set_operator(coll::Call& call, Operator op, const Elements& elements, const char* operation) {
  const ElementKind kind = elements.kind();
  const auto located = static_cast<std::size_t>(elements.located_kind());
  if (!by_kind[static_cast<std::size_t>(kind)](call, op) && !by_located_kind[located](call, op)) {
    throw error(operation,
                fmt::format("{} does not apply to elements of {}",
                            operator_names[static_cast<std::size_t>(op)], name_of(kind)),
                "convert the array, as with array.astype(numpy.float64), or choose an operator that"
                " applies: numbers have all, those with a fraction no bitwise ones, complex ones"
                " only Sum and Product, arrays of ranks.Located.dtype(...) MinLocation and"
                " MaxLocation, and all of them functions of two arrays");
  }
  if (is_aligned(call.input, elements.element_bytes()) &&
      is_aligned(call.output, elements.element_bytes())) {
    return;
  }
  throw error(operation, "the elements of an array are not aligned", "pass array.copy()");
}

}  // namespace tasuki::python
