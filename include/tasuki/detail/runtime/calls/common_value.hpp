// Values that all languages of Tasuki know: how arguments and results of functions that are called
// by name travel (include/tasuki/named.hpp, python/tasuki/ranks/common_values.py).
//
// A value is a byte for its kind and what follows from that, in the byte order of the machine:
// nothing, a boolean (1 byte), an integer or natural number or real number (8 bytes), text in UTF-8
// or bytes (8 bytes for the length, then these), an array (a byte for the type of its elements, 8
// for their count, then these), or a list (8 bytes for the count, then so many values).
//
// Thread-safety: values.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <tasuki/detail/base/arithmetic.hpp>
#include <type_traits>
#include <utility>
#include <vector>

namespace tasuki::runtime {

enum class ValueKind : std::uint8_t {
  nothing,
  boolean,
  integer,
  natural,  ///< An integer that may not fit the signed type.
  real,
  text,
  bytes,
  array,
  list,
};

/// One value, or the beginning of a list. Its data lie where it was read from.
struct CommonValue {
  ValueKind kind = ValueKind::nothing;
  base::ElementType element = base::ElementType::other;  ///< Of an array.
  std::uint64_t word = 0;           ///< The number itself, or how many elements or values.
  std::span<const std::byte> data;  ///< Of text, bytes and arrays.

  double real() const noexcept;
};

class ValueWriter {
 public:
  void put_word(ValueKind kind, std::uint64_t word);
  void put_nothing();
  void put_boolean(bool value);
  void put_real(double value);
  void put_data(ValueKind kind, std::span<const std::byte> data);
  void put_array(base::ElementType element, std::size_t count, std::span<const std::byte> data);

  std::vector<std::byte> take() noexcept { return std::move(bytes_); }

 private:
  void append(const void* from, std::size_t bytes);

  std::vector<std::byte> bytes_;
};

/// Reads the arguments, or the result, of the function `name`.
class ValueReader {
 public:
  ValueReader(std::span<const std::byte> bytes, std::string_view name) noexcept
      : left_(bytes), name_(name) {}

  /// Throws tasuki::error: there is no more, or it is damaged.
  CommonValue next();
  /// What has not been read.
  std::span<const std::byte> left() const noexcept { return left_; }
  /// The next value is an argument, which errors name by its place.
  void begin_argument() noexcept { ++arguments_count_; }
  /// Throws tasuki::error: there is more.
  void expect_end(std::size_t arguments_count) const;
  /// `wanted` as in "an integer".
  [[noreturn]] void throw_other(const CommonValue& is, const std::string& wanted) const;

  /// Throws tasuki::error: no integer, or out of range.
  std::uint64_t integer(std::int64_t least, std::uint64_t most);
  bool boolean();
  double real();
  std::string text();
  std::vector<std::byte> bytes();

 private:
  template <class T>
  T read();
  std::span<const std::byte> read_data(std::uint64_t bytes);

  std::span<const std::byte> left_;
  std::string_view name_;
  std::size_t arguments_count_ = 0;
};

/// "array of float64".
std::string array_of(base::ElementType element);

/// How a T travels, if it is one of those values.
template <class T>
struct CommonCodec {
  static constexpr bool is_known = false;
};

template <>
struct CommonCodec<bool> {
  static constexpr bool is_known = true;
  static void write(ValueWriter& to, bool value) { to.put_boolean(value); }
  static bool read(ValueReader& from) { return from.boolean(); }
};

template <std::integral T>
requires(!std::same_as<T, bool>) struct CommonCodec<T> {
  static constexpr bool is_known = sizeof(T) <= sizeof(std::uint64_t);
  static void write(ValueWriter& to, T value) {
    to.put_word(std::is_signed_v<T> ? ValueKind::integer : ValueKind::natural,
                static_cast<std::uint64_t>(value));
  }
  static T read(ValueReader& from) {
    using Limits = std::numeric_limits<T>;
    return static_cast<T>(from.integer(std::is_signed_v<T> ? std::int64_t{Limits::min()} : 0,
                                       static_cast<std::uint64_t>(Limits::max())));
  }
};

template <std::floating_point T>
struct CommonCodec<T> {
  static constexpr bool is_known = sizeof(T) <= sizeof(double);
  static void write(ValueWriter& to, T value) { to.put_real(value); }
  static T read(ValueReader& from) { return static_cast<T>(from.real()); }
};

template <>
struct CommonCodec<std::string> {
  static constexpr bool is_known = true;
  static void write(ValueWriter& to, const std::string& value) {
    to.put_data(ValueKind::text, std::as_bytes(std::span(value)));
  }
  static std::string read(ValueReader& from) { return from.text(); }
};

template <>
struct CommonCodec<std::vector<std::byte>> {
  static constexpr bool is_known = true;
  static void write(ValueWriter& to, const std::vector<std::byte>& value) {
    to.put_data(ValueKind::bytes, value);
  }
  static std::vector<std::byte> read(ValueReader& from) { return from.bytes(); }
};

template <class T>
struct CommonCodec<std::vector<T>> {
  static constexpr bool is_known = CommonCodec<T>::is_known;
  static constexpr base::ElementType element = base::element_type_of<T>();

  static void write(ValueWriter& to, const std::vector<T>& values) {
    if constexpr (element != base::ElementType::other) {
      to.put_array(element, values.size(), std::as_bytes(std::span(values)));
    } else {
      to.put_word(ValueKind::list, values.size());
      for (const auto& value : values) CommonCodec<T>::write(to, value);
    }
  }
  static std::vector<T> read(ValueReader& from) {
    const CommonValue row = from.next();
    std::vector<T> values;
    if constexpr (element != base::ElementType::other) {
      if (row.kind == ValueKind::array && row.element == element) {
        values.resize(row.word);
        if (!row.data.empty()) std::memcpy(values.data(), row.data.data(), row.data.size());
        return values;
      }
    }
    if (row.kind != ValueKind::list) {
      from.throw_other(row, element == base::ElementType::other ? "a list" : array_of(element));
    }
    for (std::uint64_t i = 0; i < row.word; ++i) values.push_back(CommonCodec<T>::read(from));
    return values;
  }
};

/// Arguments and results of functions that are called by name.
template <class T>
concept CommonlyKnown = CommonCodec<T>::is_known;

}  // namespace tasuki::runtime
