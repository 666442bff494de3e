// How much of a user's arrays and objects may stay on ranks, and how much does.
//
// The front end tells ranks with each lease; they count from there on. Thread-safety: a value.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "rpc/links/lost.hpp"
#include "rpc/wire/frame.hpp"

namespace tasuki::rpc {

struct KeptQuota {
  std::string user;
  std::int64_t most_bytes = 0;
  std::int64_t used_bytes = 0;  ///< On the ranks of all modules together.
};

inline nlohmann::json to_json(const KeptQuota& quota) {
  return {{"user", quota.user}, {"most_bytes", quota.most_bytes}, {"used_bytes", quota.used_bytes}};
}

/// Throws tasuki::error if a field is missing or of another type.
inline KeptQuota kept_quota_from(const nlohmann::json& described) {
  return {field_of<std::string>(described, "user"), field_of<std::int64_t>(described, "most_bytes"),
          field_of<std::int64_t>(described, "used_bytes")};
}

}  // namespace tasuki::rpc
