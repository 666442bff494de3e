// JSON as text: what tasuki_info prints is put together from these.
//
// Every value is handed on as the text that stands for it. Thread-safety: pure functions.
#pragma once

#include <fmt/format.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace tasuki::json {

/// The string `text` (UTF-8), in quotes.
inline std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char character : text) {
    if (character == '"' || character == '\\') {
      result += '\\';
      result += character;
    } else if (static_cast<unsigned char>(character) < 0x20) {
      result += fmt::format("\\u{:04x}", character);
    } else {
      result += character;
    }
  }
  return result + '"';
}

/// An object of (name, value) in this order.
inline std::string object(std::initializer_list<std::pair<std::string_view, std::string>> members) {
  std::string result;
  for (const auto& [name, value] : members) {
    result += fmt::format("{}{}: {}", result.empty() ? "" : ", ", quoted(name), value);
  }
  return '{' + result + '}';
}

/// The array of what `to_json` makes of each of `rows`.
template <class Rows, class ToJson>
std::string array(const Rows& rows, ToJson to_json) {
  std::string result;
  for (const auto& row : rows) {
    result += fmt::format("{}{}", result.empty() ? "" : ",\n", to_json(row));
  }
  return '[' + result + ']';
}

}  // namespace tasuki::json
