// Parameters of an algorithm: named integers such as radix=4, segment_bytes=32768.
//
// An algorithm declares its parameters once (ParameterDeclaration in its descriptor); values come
// from there unless a policy or a user gives others, as "radix=4,segment_bytes=32768".
// Thread-safety: values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tasuki::coll {

struct ParameterDeclaration {
  const char* name;
  std::int64_t default_value;
  std::int64_t minimum;
  std::int64_t maximum;
  const char* meaning;  ///< One phrase, with the unit if there is one.
};

class Parameters {
 public:
  Parameters() = default;

  /// From "name=value,name=value"; "" is none. Throws tasuki::error if it does not read so.
  static Parameters parse(std::string_view text);

  void set(std::string_view name, std::int64_t value);
  /// Requires: the parameter is there (the registry fills in defaults before an algorithm runs).
  std::int64_t get(std::string_view name) const;
  bool contains(std::string_view name) const noexcept;
  std::string to_text() const;  ///< As `parse` reads it.

  const std::vector<std::pair<std::string, std::int64_t>>& values() const noexcept {
    return values_;
  }
  bool operator==(const Parameters&) const = default;

 private:
  std::vector<std::pair<std::string, std::int64_t>> values_;
};

}  // namespace tasuki::coll
