#include "rpc/interface/expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <tasuki/error.hpp>
#include <utility>

namespace tasuki::rpc {
namespace {

constexpr int depth_most = 100;

/// Why a part of an expression has no value.
struct NoValue : std::exception {
  NoValue(std::string of, const char* why) : part(std::move(of)), reason(why) {}
  std::string part;
  const char* reason;
};

using Result = std::optional<std::int64_t>;  // Nothing: it does not fit into 64 bits.

Result sum(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  return __builtin_add_overflow(a, b, &result) ? Result() : result;
}
Result difference(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  return __builtin_sub_overflow(a, b, &result) ? Result() : result;
}
Result product(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? Result() : result;
}
Result quotient(std::int64_t a, std::int64_t b) {
  return b == -1 ? difference(0, a) : Result(a / b);
}
Result remainder(std::int64_t a, std::int64_t b) { return b == -1 ? 0 : a % b; }

/// By squaring. Requires: exponent >= 0.
Result power(std::int64_t base, std::int64_t exponent) {
  std::int64_t result = 1;
  while (true) {
    if (exponent % 2 == 1 && __builtin_mul_overflow(result, base, &result)) return {};
    exponent /= 2;
    if (exponent == 0) return result;
    if (__builtin_mul_overflow(base, base, &base)) return {};
  }
}

struct Operator {
  std::string_view name;
  Result (*apply)(std::int64_t, std::int64_t);
};
constexpr std::array<Operator, 12> operators = {{
    {"^", power},
    {"==", [](std::int64_t a, std::int64_t b) -> Result { return a == b; }},
    {"!=", [](std::int64_t a, std::int64_t b) -> Result { return a != b; }},
    {"<", [](std::int64_t a, std::int64_t b) -> Result { return a < b; }},
    {"<=", [](std::int64_t a, std::int64_t b) -> Result { return a <= b; }},
    {">", [](std::int64_t a, std::int64_t b) -> Result { return a > b; }},
    {">=", [](std::int64_t a, std::int64_t b) -> Result { return a >= b; }},
    {"+", sum},
    {"-", difference},
    {"*", product},
    {"/", quotient},
    {"%", remainder},
}};

const Operator* find_operator(std::string_view name) {
  const auto* found = std::ranges::find(operators, name, &Operator::name);
  return found == operators.end() ? nullptr : found;
}

bool is_name(const std::string& text) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
  };
  return !text.empty() && is_letter(text[0]) &&
         std::ranges::all_of(text, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

[[noreturn]] void refuse(const std::string& happened) {
  throw error("read an interface", happened,
              "let server and client use versions of Tasuki that know each other");
}

}  // namespace

Expression Expression::from_json(const nlohmann::json& value) { return from_json(value, 0); }

Expression Expression::from_json(const nlohmann::json& value, int depth) {
  if (depth > depth_most) refuse(fmt::format("an expression is more than {} deep", depth_most));
  Expression made;
  if (value.is_number_integer()) {
    const bool fits = value.is_number_unsigned() &&
                      value.get<std::uint64_t>() <=
                          static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (fits || (!value.is_number_unsigned() && value.get<std::int64_t>() >= 0)) {
      made.number_ = value.get<std::int64_t>();
      return made;
    }
  } else if (value.is_string() && is_name(value.get_ref<const std::string&>())) {
    made.kind_ = Kind::name;
    made.word_ = value.get<std::string>();
    return made;
  } else if (value.is_array() && !value.empty() && value[0].is_string()) {
    made.word_ = value[0].get<std::string>();
    for (std::size_t i = 1; i < value.size() && i <= 4; ++i) {
      made.operands_.push_back(from_json(value[i], depth + 1));
    }
    const std::size_t count = made.operands_.size();
    if (count == 2 && find_operator(made.word_) != nullptr) {
      made.kind_ = Kind::operation;
      return made;
    }
    if ((count == 1 && made.word_ == "-") || (count == 3 && made.word_ == "?:")) {
      made.kind_ = count == 1 ? Kind::negation : Kind::choice;
      return made;
    }
  }
  refuse(fmt::format("{} is no expression", value.dump().substr(0, 60)));
}

std::int64_t Expression::evaluate(const Integers& values, std::string_view argument) const {
  try {
    return value(values);
  } catch (const NoValue& fault) {
    const std::string whole = text();
    const std::string within = fault.part == whole ? "" : fmt::format(" in {}", whole);
    throw error("evaluate the interface",
                fmt::format("{}: {}{} {}", argument, fault.part, within, fault.reason),
                "give arguments with which the interface's expressions have values");
  }
}

std::int64_t Expression::value(const Integers& values) const {
  switch (kind_) {
    case Kind::number:
      return number_;
    case Kind::name: {
      const auto found = values.find(word_);
      if (found == values.end()) throw NoValue(text(), "has no value");
      return found->second;
    }
    case Kind::choice:
      return operands_[operands_[0].value(values) != 0 ? 1 : 2].value(values);
    case Kind::negation: {
      const Result result = difference(0, operands_[0].value(values));
      if (!result) throw NoValue(text(), "does not fit into 64 bits");
      return *result;
    }
    case Kind::operation:
      break;
  }
  const std::int64_t left = operands_[0].value(values);
  const std::int64_t right = operands_[1].value(values);
  if (right == 0 && (word_ == "/" || word_ == "%")) throw NoValue(text(), "divides by zero");
  if (right < 0 && word_ == "^") throw NoValue(text(), "has a negative exponent");
  const Result result = find_operator(word_)->apply(left, right);
  if (!result) throw NoValue(text(), "does not fit into 64 bits");
  return *result;
}

std::string Expression::text() const {
  switch (kind_) {
    case Kind::number:
      return std::to_string(number_);
    case Kind::name:
      return word_;
    case Kind::negation:
      return fmt::format("-{}", operands_[0].text());
    case Kind::choice:
      return fmt::format("({} ? {} : {})", operands_[0].text(), operands_[1].text(),
                         operands_[2].text());
    case Kind::operation:
      break;
  }
  return fmt::format("({} {} {})", operands_[0].text(), word_, operands_[1].text());
}

}  // namespace tasuki::rpc
