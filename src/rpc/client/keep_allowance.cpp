#include "rpc/client/keep_allowance.hpp"

#include <fmt/format.h>

#include "rpc/interface/call_bytes.hpp"
#include "rpc/wire/frame.hpp"
#include "rpc/wire/named_error.hpp"

namespace tasuki::rpc {

using nlohmann::json;

void KeepAllowance::check(const layout::ArrayLayout& layout) const {
  const std::int64_t bytes = bytes_on_all_ranks(layout);
  const auto refuse = [&](const std::string& limit, const char* remedy) {
    throw NamedError(quota_kind, "put an array",
                     fmt::format("it has {} bytes on all ranks together, and {}", bytes, limit),
                     remedy);
  };
  if (bytes > limit_bytes) {
    refuse(fmt::format("these keep {} at most", limit_bytes),
           "start the server with a larger --keep-limit, or give the array with each call");
  }
  if (quota && bytes > quota->most_bytes) {
    refuse(fmt::format("the quota of user {} is kept_memory_bytes = {}", quota->user,
                       quota->most_bytes),
           "ask for a larger quota, or give the array with each call");
  }
}

KeepAllowance keep_allowance_from(const json& leased) {
  KeepAllowance made;
  made.limit_bytes = field_or(leased, "keep_limit_bytes", made.limit_bytes);
  if (leased.contains("kept_quota")) {
    made.quota = kept_quota_from(field_of<json>(leased, "kept_quota"));
  }
  return made;
}

}  // namespace tasuki::rpc
