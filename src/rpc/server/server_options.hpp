// What a server allows its clients, and what it writes down.
//
// Read from what `tasuki serve` says; used by the front end. Thread-safety: values that nobody
// changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "rpc/interface/call_bytes.hpp"
#include "rpc/server/user.hpp"

namespace tasuki::rpc {

/// For each module alike. What has no value has no limit.
struct ModuleLimits {
  std::size_t queue_most = 1000;                 ///< Clients that wait for its ranks.
  std::optional<double> call_most_s = {};        ///< A call may take.
  double client_most_s = 60;                     ///< A client may hold a call up.
  double rank_most_s = 30;                       ///< A rank may say nothing when it is asked.
  std::int64_t call_most_bytes = no_call_limit;  ///< Of arrays and files on each rank.
  std::optional<double> idle_most_s = {};        ///< After so long without calls ranks are ended.
  std::optional<double> keep_most_s = {};        ///< What no call has used for so long is freed.
};

struct ServerOptions {
  std::string log_file = {};     ///< Of AuditLog; empty: none.
  std::vector<User> users = {};  ///< Empty: anyone may call.
  ModuleLimits limits = {};
  /// Of each user's clients, unless its own limit is another; without a value the usual.
  std::optional<std::int64_t> connections_most = {};
  std::int64_t browsers_most = 64;             ///< Connections of each user's browsers.
  std::int64_t staged_most_bytes = INT64_MAX;  ///< Of all calls that the front end holds.
  int pools_count = 1;                      ///< Groups of ranks of each module, for calls at once.
  std::optional<double> drain_most_s = {};  ///< For calls under way when the server is to end.
  std::string tls_certificate_file = {};    ///< Empty: nothing is encrypted.
  std::string tls_key_file = {};
};

/// Throws nlohmann::json::exception or tasuki::error if a field is missing or of another type.
ServerOptions server_options_from(const nlohmann::json& options);

}  // namespace tasuki::rpc
