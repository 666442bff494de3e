// JSON as the programs print and read it. Thread-safety: values and a pure function.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace tasuki::apps {

/// Its fields keep the order in which they were given.
using Json = nlohmann::ordered_json;

/// On one line; what is no UTF-8 (file names may be anything) is replaced, NaN is null.
inline std::string to_line(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tasuki::apps
