// How much of a user's arrays and objects may stay on ranks, and what the front end answers when
// the ranks ask whether something more may.
//
// The front end tells ranks of the quota with each lease. Thread-safety: values.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "rpc/wire/frame.hpp"

namespace tasuki::rpc {

struct KeptQuota {
  std::string user;
  std::int64_t most_bytes = 0;  ///< On the ranks of all modules together.
};

inline nlohmann::json to_json(const KeptQuota& quota) {
  return {{"user", quota.user}, {"most_bytes", quota.most_bytes}};
}

/// Throws tasuki::error if a field is missing or of another type.
inline KeptQuota kept_quota_from(const nlohmann::json& described) {
  return {field_of<std::string>(described, "user"),
          field_of<std::int64_t>(described, "most_bytes")};
}

struct KeptRoom {
  bool is_granted = false;      ///< From now on the bytes are counted.
  std::int64_t used_bytes = 0;  ///< Of the quota, before that.
};

}  // namespace tasuki::rpc
