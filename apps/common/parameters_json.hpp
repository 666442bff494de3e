// The parameters that an algorithm declares, as the programs of `tasuki tune` tell them in JSON.
//
// Thread-safety: a pure function.
#pragma once

#include <tasuki/detail/coll/parameters.hpp>

#include <span>

#include "common/json.hpp"

namespace tasuki::apps {

inline Json parameters_json(std::span<const coll::ParameterDeclaration> parameters) {
  Json all = Json::array();
  for (const coll::ParameterDeclaration& one : parameters) {
    all.push_back({{"name", one.name},
                   {"default", one.default_value},
                   {"minimum", one.minimum},
                   {"maximum", one.maximum}});
  }
  return all;
}

}  // namespace tasuki::apps
