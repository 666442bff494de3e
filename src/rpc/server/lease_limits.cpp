#include "rpc/server/lease_limits.hpp"

#include <algorithm>

#include "rpc/interface/call_bytes.hpp"

namespace tasuki::rpc {

std::int64_t call_most_bytes(const ModuleLimits& module, const User& user) {
  return std::min(module.call_most_bytes, user.limits.call_memory_bytes.value_or(no_call_limit));
}

WatchLimits watch_limits(const ModuleLimits& module, const User& user, bool is_staged) {
  WatchLimits limits{module.call_most_s, module.client_most_s};
  const std::optional<double> of_user_s = user.limits.call_time_s;
  if (of_user_s && (!limits.call_most_s || *of_user_s < *limits.call_most_s)) {
    limits.call_most_s = of_user_s;
  }
  if (is_staged) limits.client_most_s.reset();
  return limits;
}

}  // namespace tasuki::rpc
