// A module, and what starts the program of its routines.
//
// Read from what `tasuki serve` says, at the start and when it reloads; used by the front end.
// Thread-safety: a value.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace tasuki::rpc {

struct ServedModule {
  nlohmann::json interface;
  std::vector<std::string> command;
  int ranks = 1;
  std::int64_t keep_limit_bytes = 0;  ///< How much of clients' arrays its ranks may keep.
  bool is_warm = true;                ///< Does the program start with the server, or when called?
  nlohmann::json documentation = nlohmann::json::array();  ///< Of its routines, for people.
  std::string version = {};    ///< Another one whenever the program is another one.
  std::string signature = {};  ///< Another one whenever routines take other arguments.

  std::string name() const { return interface.at("module"); }
  bool operator==(const ServedModule&) const = default;
};

/// Throws nlohmann::json::exception if a field is missing or of another type.
std::vector<ServedModule> served_modules_from(const nlohmann::json& modules);

}  // namespace tasuki::rpc
