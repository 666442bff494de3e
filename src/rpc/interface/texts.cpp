#include "rpc/interface/texts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <tasuki/error.hpp>

namespace tasuki::rpc {

using nlohmann::json;

std::size_t texts_count(const Parameter& parameter, const Integers& integers) {
  std::int64_t count = 1;
  for (const Expression& size : parameter.sizes) {
    const std::int64_t extent = size.evaluate(integers, parameter.name);
    if (extent < 0 ||
        extent > static_cast<std::int64_t>(texts_most_bytes) / std::max<std::int64_t>(1, count)) {
      throw error("count the texts of a call",
                  fmt::format("{} has size {} = {}", parameter.name, size.text(), extent),
                  fmt::format("give a size from 0 to {}", texts_most_bytes));
    }
    count *= extent;
  }
  return static_cast<std::size_t>(count);
}

void check_texts(const Routine& routine, const Integers& integers, const json& texts,
                 bool (Parameter::*is_wanted)() const noexcept) {
  const std::string operation = fmt::format("call {}", routine.name);
  std::size_t bytes = 0;
  for (const Parameter& one : routine.parameters) {
    if (one.content != Content::texts || !(one.*is_wanted)()) continue;
    const std::size_t count = texts_count(one, integers);
    const auto found = texts.find(one.name);
    const bool has_count = found != texts.end() && found->is_array() && found->size() == count;
    if (!has_count ||
        !std::ranges::all_of(*found, [](const json& text) { return text.is_string(); })) {
      throw error(operation, fmt::format("{} is not {} texts", one.name, count), "give texts");
    }
    for (const json& text : *found) {
      const auto& characters = text.get_ref<const std::string&>();
      bytes += characters.size() + 1;
      if (characters.find('\0') != std::string::npos) {
        throw error(operation, fmt::format("{} holds the character NUL", one.name),
                    "give a text without it, or an array of char");
      }
      if (bytes > texts_most_bytes) {
        throw error(operation,
                    fmt::format("{} is too long: the texts of a call have at most {} bytes",
                                one.name, texts_most_bytes),
                    "give it as a file, or as an array of char");
      }
    }
  }
}

}  // namespace tasuki::rpc
