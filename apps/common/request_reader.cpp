#include "common/request_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tasuki/error.hpp>

#include <algorithm>
#include <utility>

namespace tasuki::apps {

RequestReader::RequestReader(std::string operation, std::string_view text, RequestWords words)
    : operation_(std::move(operation)), words_(words), fields_(Json::parse(text, nullptr, false)) {
  if (!fields_.is_object()) {
    throw error(operation_, fmt::format("{} is no JSON object: '{}'", words_.what, text),
                words_.remedy);
  }
}

std::string RequestReader::text(const std::string& name,
                                std::initializer_list<const char*> choices) {
  const Json& value = field(name);
  const bool is_one = value.is_string() &&
                      (choices.size() == 0 || std::ranges::find(choices, value) != choices.end());
  if (!is_one) {
    refuse(name, choices.size() == 0 ? "a text" : fmt::format("{}", fmt::join(choices, " or ")));
  }
  return value;
}

bool RequestReader::is_null(const std::string& name) { return field(name).is_null(); }

std::int64_t RequestReader::integer(const std::string& name, std::int64_t least, std::int64_t most,
                                    std::int64_t unit) {
  const Json& value = field(name);
  // What does not fit std::int64_t is kept as unsigned, or as a number that is no integer.
  const bool fits =
      value.is_number_integer() &&
      (!value.is_number_unsigned() || std::in_range<std::int64_t>(value.get<std::uint64_t>()));
  if (!fits || value < least || value > most || value.get<std::int64_t>() % unit != 0) {
    const std::string what = unit == 1 ? "an integer" : fmt::format("a multiple of {}", unit);
    refuse(name, fmt::format("{} from {} to {}", what, least, most));
  }
  return value;
}

double RequestReader::number(const std::string& name) {
  const Json& value = field(name);
  if (!value.is_number() || value < 0) refuse(name, "a number, 0 or more");
  return value;
}

bool RequestReader::flag(const std::string& name) {
  const Json& value = field(name);
  if (!value.is_boolean()) refuse(name, "true or false");
  return value;
}

void RequestReader::finish() const {
  for (const auto& [name, value] : fields_.items()) {
    if (!read_.contains(name)) {
      throw error(operation_,
                  fmt::format("{} has a field '{}' that means nothing", words_.what, name),
                  words_.remedy);
    }
  }
}

void RequestReader::refuse(const std::string& name, const std::string& wanted) const {
  throw error(operation_,
              fmt::format("{} must be {}, not {}", name, wanted, to_line(fields_[name])),
              words_.remedy);
}

const Json& RequestReader::field(const std::string& name) {
  if (!fields_.contains(name)) {
    throw error(operation_, fmt::format("{} has no field '{}'", words_.what, name), words_.remedy);
  }
  read_.insert(name);
  return fields_[name];
}

}  // namespace tasuki::apps
