// Who may call: a name, what the user's token is known by, and how much the user may ask for.
//
// Made from the file of users (docs/formats/users.md); sessions and leases keep whose they are.
// Thread-safety: a value.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace tasuki::rpc {

/// What has no value has no limit.
struct UserLimits {
  std::optional<std::int64_t> connections_at_once = {};  ///< In place of the server's own limit.
  std::optional<std::int64_t> calls_at_once = {};
  std::optional<std::int64_t> calls_per_minute = {};
  std::optional<std::int64_t> call_memory_bytes = {};  ///< Of a call's arrays on each rank.
  std::optional<std::int64_t> kept_memory_bytes = {};  ///< Of all arrays left on ranks.
  std::optional<double> call_time_s = {};

  bool operator==(const UserLimits&) const = default;
};

struct User {
  std::string name;  ///< Letters, digits, - and _; empty where nobody has to say who it is.
  std::string token_sha256 = {};  ///< As sha256_text gives it; the token itself is not kept.
  UserLimits limits = {};

  bool operator==(const User&) const = default;
};

/// From what `tasuki serve` says of a user. Throws tasuki::error if a field is missing or of
/// another type.
User user_from_json(const nlohmann::json& described);

}  // namespace tasuki::rpc
