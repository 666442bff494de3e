// What a server allows its clients, and what it writes down.
//
// Read from what `tasuki serve` says; used by the front end. Thread-safety: values that nobody
// changes.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "rpc/server/user.hpp"

namespace tasuki::rpc {

struct ServerOptions {
  std::string log_file = {};     ///< Of AuditLog; empty: none.
  std::vector<User> users = {};  ///< Empty: anyone may call.
};

/// Throws nlohmann::json::exception or tasuki::error if a field is missing.
ServerOptions server_options_from(const nlohmann::json& options);

}  // namespace tasuki::rpc
