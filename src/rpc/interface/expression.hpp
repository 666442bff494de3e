// Expressions over a call's integers: sizes of arrays, block widths, grids of ranks.
//
// They come as JSON from an interface (docs/formats/interface.md) and mean what
// python/tasuki/idl/expression.py says: 64-bit integers, C's arithmetic, `^` for power. Clients and
// ranks evaluate them alike. Thread-safety: values that nobody changes.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace tasuki::rpc {

/// The values of a call's IN integers, by name.
using Integers = std::map<std::string, std::int64_t, std::less<>>;

///     Expression::from_json({"*", "n", 8}).evaluate({{"n", 3}}, "A");  // 24
class Expression {
 public:
  /// Throws tasuki::error if the JSON is no expression or one that is nested more than 100 deep.
  static Expression from_json(const nlohmann::json& value);

  /// Only the chosen branch of `?:` is evaluated. Throws tasuki::error, which names `argument` and
  /// the part at fault, if a name has no value, a result does not fit into 64 bits, a divisor is 0
  /// or an exponent is negative.
  std::int64_t evaluate(const Integers& values, std::string_view argument) const;

  /// With parentheses around each part: "(n * 8)".
  std::string text() const;

 private:
  enum class Kind : std::uint8_t { number, name, negation, operation, choice };

  static Expression from_json(const nlohmann::json& value, int depth);
  std::int64_t value(const Integers& values) const;

  Kind kind_ = Kind::number;
  std::int64_t number_ = 0;
  std::string word_;  ///< The name, or the operator.
  std::vector<Expression> operands_;
};

}  // namespace tasuki::rpc
