// Parameters of routines for tests.
#pragma once

#include <nlohmann/json.hpp>

#include "rpc/interface/module.hpp"

namespace tasuki::rpc {

/// With `sizes` an array, which is not distributed; else a scalar.
inline Parameter parameter(const char* name, Mode mode, Number number,
                           const nlohmann::json& sizes = nlohmann::json::array()) {
  Parameter made;
  made.name = name;
  made.mode = mode;
  made.number = number;
  for (const nlohmann::json& size : sizes) {
    made.sizes.push_back(Expression::from_json(size));
    made.ranges.emplace_back();
  }
  return made;
}

inline Parameter file_parameter(const char* name, Mode mode) {
  Parameter made = parameter(name, mode, Number::int8);
  made.content = Content::file;
  return made;
}

inline Parameter text_parameter(const char* name, Mode mode) {
  Parameter made = parameter(name, mode, Number::int8);
  made.content = Content::texts;
  return made;
}

/// f(IN int64 n, g(IN float64 x[n], OUT int8 y[2], INOUT int32 z[n, of which one is left out])).
inline Routine routine_with_callback() {
  using nlohmann::json;
  const json n = json::array({"n"});
  Parameter z = parameter("z", Mode::inout, Number::int32, n);
  z.ranges[0] =
      Range{Expression::from_json(1), Expression::from_json("n"), Expression::from_json(1)};
  Routine routine{"f", "", {parameter("n", Mode::in, Number::int64)}};
  routine.callbacks.push_back(
      {"g",
       1,
       {parameter("x", Mode::in, Number::float64, n),
        parameter("y", Mode::out, Number::int8, json::array({2})), std::move(z)}});
  return routine;
}

}  // namespace tasuki::rpc
