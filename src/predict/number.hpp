// Values as numbers, for predictors that count: of a message all fields, or its size.
#pragma once

#include <cstdint>

#include <tasuki/detail/predict/message.hpp>

namespace tasuki::predict {

/// What means and maxima are made of: a field's value itself, and of a message its size.
constexpr std::int64_t size_of(std::int64_t value) { return value; }
constexpr std::int64_t size_of(const Message& message) { return message.message_bytes; }

/// The value with another size.
constexpr std::int64_t resized(std::int64_t /*value*/, std::int64_t size) { return size; }
constexpr Message resized(Message message, std::int64_t size) {
  message.message_bytes = size;
  return message;
}

/// Sums and differences, of messages field by field; they wrap around where they do not fit.
constexpr std::int64_t sum(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
constexpr std::int64_t difference(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}
constexpr Message sum(const Message& a, const Message& b) {
  Message result;
  for (const Field field : all_fields) {
    set_value(result, field, sum(value_of(a, field), value_of(b, field)));
  }
  return result;
}
constexpr Message difference(const Message& a, const Message& b) {
  Message result;
  for (const Field field : all_fields) {
    set_value(result, field, difference(value_of(a, field), value_of(b, field)));
  }
  return result;
}

}  // namespace tasuki::predict
