// What starts the ranks of a module, and what holds for them.
//
// Made by the table of modules, kept by a module's processes. Thread-safety: a value.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "rpc/server/server_options.hpp"
#include "rpc/wire/socket.hpp"

namespace tasuki::rpc {

struct RoutineProgram {
  std::vector<std::string> command;
  int ranks = 1;
  Endpoint front_end = {};
  std::string key = {};  ///< Lets them join.
  /// How much of clients' arrays they may keep, all together.
  std::int64_t keep_limit_bytes = 0;
  ModuleLimits limits = {};
  /// Of each routine, for people: docs/formats/server-api.md.
  nlohmann::json documentation = nlohmann::json::array();
  std::int64_t revision = 1;   ///< Of the server's interfaces since which this one is the same.
  std::string signature = {};  ///< What programs that know theirs have to have.
};

}  // namespace tasuki::rpc
