// A request to a program, as JSON: one object whose fields are read by their names and checked.
//
// Used by the programs that the command asks questions (apps/explain, apps/measure, apps/predict),
// and for lines of files that are such objects. Every function throws tasuki::error, which names
// the field and what it may be, if the field is missing or wrong. Thread-safety: one per thread.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <set>
#include <string>
#include <string_view>

#include "common/json.hpp"

namespace tasuki::apps {

/// What errors call the object, and their remedy.
struct RequestWords {
  const char* what = "the request";
  const char* remedy = "give the request as the command tasuki does";
};

class RequestReader {
 public:
  /// `operation` is what errors begin with, as in "explaining a collective".
  RequestReader(std::string operation, std::string_view text, RequestWords words = {});

  /// One of `choices`; any text if there are none.
  std::string text(const std::string& name, std::initializer_list<const char*> choices = {});
  /// A multiple of `unit`.
  std::int64_t integer(const std::string& name, std::int64_t least, std::int64_t most,
                       std::int64_t unit = 1);
  /// Not negative.
  double number(const std::string& name);
  bool flag(const std::string& name);
  bool is_null(const std::string& name);

  /// Refuses fields that nobody has read: a misspelt name is an error, not a default.
  void finish() const;

 private:
  const Json& field(const std::string& name);
  [[noreturn]] void refuse(const std::string& name, const std::string& wanted) const;

  std::string operation_;
  RequestWords words_;
  Json fields_;
  std::set<std::string> read_;
};

}  // namespace tasuki::apps
