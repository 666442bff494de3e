// How a file in NumPy's format .npy begins: the type, the order and the extents of its array.
//
// Versions 1, 2 and 3 of the format are read, version 1 is written (numpy.lib.format). Used by
// Array. Thread-safety: values.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <tasuki/detail/containers/exchange.hpp>
#include <tasuki/detail/layout/order.hpp>
#include <type_traits>
#include <vector>

namespace tasuki::containers {

struct NpyHeader {
  std::string type = {};  ///< As NumPy describes it, "<f8" for double say.
  layout::Order order = layout::Order::row_major;
  std::vector<std::int64_t> extents = {};

  /// What the file begins with; the elements follow.
  Bytes bytes() const;
  /// Reads the begin of a file; `header_bytes` is set to where the elements are. Throws
  /// tasuki::error if it is no such file.
  static NpyHeader parse(std::span<const std::byte> begin, std::uint64_t& header_bytes);
  bool operator==(const NpyHeader&) const = default;
};

/// As much of a file as a header may have.
inline constexpr std::size_t npy_header_bytes_most = 65536;

template <class T>
struct IsComplex : std::false_type {};
template <class T>
struct IsComplex<std::complex<T>> : std::true_type {};

/// How NumPy describes a T on this machine.
template <class T>
std::string npy_type() {
  static_assert(std::is_arithmetic_v<T> || IsComplex<T>::value,
                "tasuki: files .npy are for arrays of numbers. Write other elements by own code, "
                "from local().");
  char letter = 'u';
  if constexpr (std::is_same_v<T, bool>) {
    letter = 'b';
  } else if constexpr (IsComplex<T>::value) {
    letter = 'c';
  } else if constexpr (std::is_floating_point_v<T>) {
    letter = 'f';
  } else if constexpr (std::is_signed_v<T>) {
    letter = 'i';
  }
  std::string type(1, sizeof(T) == 1 ? '|' : '<');
  type += letter;
  return type += std::to_string(sizeof(T));
}

}  // namespace tasuki::containers
