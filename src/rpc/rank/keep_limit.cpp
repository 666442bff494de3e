#include "rpc/rank/keep_limit.hpp"

#include <fmt/format.h>

#include "rpc/wire/named_error.hpp"

namespace tasuki::rpc {

std::optional<Lost> KeepLimit::refusal(const Wish& wish) const {
  const auto refused = [&](const std::string& happened, const std::string& remedy) {
    return Lost(fmt::format("lost-{}", wish.noun), wish.operation, happened, remedy);
  };
  if (wish.is_name_taken) {
    return refused("there is one of this name already", "choose another name");
  }
  if (wish.of_client_count >= of_client_most) {
    return Lost(quota_kind, wish.operation,
                fmt::format("the client has {} {}s already", wish.of_client_count, wish.noun),
                "free some of them");
  }
  if (wish.bytes > bytes_ - used_bytes_) {
    return Lost(
        quota_kind, wish.operation,
        fmt::format("{} has {} bytes, and of the {} that the ranks keep {} are used", wish.subject,
                    wish.bytes, bytes_, used_bytes_),
        fmt::format("free other {}s, or start the server with a larger --keep-limit", wish.noun));
  }
  if (!ask_quota_) return {};
  return ask_quota_(wish.operation, wish.name, wish.bytes);
}

}  // namespace tasuki::rpc
