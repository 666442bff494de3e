// What a server allows its clients, and what it writes down.
//
// Read from what `tasuki serve` says; used by the front end. Thread-safety: values that nobody
// changes.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace tasuki::rpc {

struct ServerOptions {
  std::string log_file = {};  ///< Of AuditLog; empty: none.
};

/// Throws nlohmann::json::exception if a field is missing.
ServerOptions server_options_from(const nlohmann::json& options);

}  // namespace tasuki::rpc
