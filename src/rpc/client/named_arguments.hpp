// What a call takes besides arrays, by what it holds: numbers, texts and names of files.
//
// Made by Client from what a caller gives. Thread-safety: a pure function.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "rpc/interface/module.hpp"

namespace tasuki::rpc {

struct NamedArguments {
  nlohmann::json numbers = nlohmann::json::object();
  nlohmann::json texts = nlohmann::json::object();  ///< Arrays of texts.
  std::map<std::string, std::string> files = {};
};

/// `scalars` has all of them by the names of the routine's parameters; a single text may stand for
/// an array of one.
NamedArguments named_arguments(const Routine& routine, const nlohmann::json& scalars);

}  // namespace tasuki::rpc
