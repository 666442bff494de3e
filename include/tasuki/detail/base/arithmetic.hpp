// Names for the arithmetic that others than Tasuki can do: element types and operators.
//
// Operators of reductions carry them (coll), so that a network which combines numbers itself
// (transport) can be asked to. Thread-safety: constants.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

namespace tasuki::base {

enum class ElementType : std::uint8_t {
  other,
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  float32,
  float64,
};

enum class Operator : std::uint8_t {
  other,
  sum,
  product,
  minimum,
  maximum,
  logical_and,
  logical_or,
  logical_xor,
  bitwise_and,
  bitwise_or,
  bitwise_xor,
};

/// What a reduction computes, as far as it has a name.
struct Arithmetic {
  ElementType element = ElementType::other;
  Operator op = Operator::other;

  constexpr bool is_known() const { return element != ElementType::other && op != Operator::other; }
  constexpr bool operator==(const Arithmetic&) const = default;
};

template <class T>
constexpr ElementType element_type_of() {
  using enum ElementType;
  if constexpr (std::same_as<T, float>) return float32;
  if constexpr (std::same_as<T, double>) return float64;
  if constexpr (std::integral<T> && !std::same_as<T, bool>) {
    constexpr bool is_signed = std::is_signed_v<T>;
    switch (sizeof(T)) {
      case 1:
        return is_signed ? int8 : uint8;
      case 2:
        return is_signed ? int16 : uint16;
      case 4:
        return is_signed ? int32 : uint32;
      case 8:
        return is_signed ? int64 : uint64;
      default:
        break;
    }
  }
  return other;
}

}  // namespace tasuki::base
