// How much a client may leave on the ranks of a module, as the front end says with each lease. So
// an array that can never have room there is refused before it travels.
//
// Used by Client. Thread-safety: values.
#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <tasuki/detail/layout/array_layout.hpp>

#include "rpc/links/kept_quota.hpp"

namespace tasuki::rpc {

struct KeepAllowance {
  /// Of all clients together.
  std::int64_t limit_bytes = std::numeric_limits<std::int64_t>::max();
  std::optional<KeptQuota> quota = {};

  /// Throws NamedError of quota_kind if an array of that layout needs more. The ranks may refuse a
  /// smaller one, as only they know how much is used.
  void check(const layout::ArrayLayout& layout) const;
};

/// By the message `leased`. Throws tasuki::error if a field is of another type.
KeepAllowance keep_allowance_from(const nlohmann::json& leased);

}  // namespace tasuki::rpc
