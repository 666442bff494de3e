#include "rpc/server/program_kept.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

#include "rpc/wire/frame.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

/// A message has at most 16 MiB.
constexpr std::size_t names_at_once = 10'000;
constexpr const char* expired_happened =
    "its time is over: no call has used it for as long as the server keeps it (--keep-time)";

json discard_of(std::span<const std::string> names, const std::string& happened) {
  json message = {{"message", "discard"}, {"names", json::array()}, {"happened", happened}};
  for (const std::string& one : names) message["names"].push_back(one);
  return message;
}

}  // namespace

std::optional<KeptQuota> ProgramKept::quota_of(const User& user) {
  if (!user.limits.kept_memory_bytes) return {};
  return KeptQuota{user.name, *user.limits.kept_memory_bytes};
}

json ProgramKept::room(const User& user, const CallOrigin& origin, const json& message) {
  const std::optional<KeptQuota> quota = quota_of(user);
  if (!quota) refuse_field("message");  // Nobody has told the rank to ask.
  const KeptRoom room = table_.reserve(program_, origin, field_of<std::string>(message, "name"),
                                       field_of<std::int64_t>(message, "bytes"), quota->most_bytes);
  return {{"message", "room"},
          {"lease", field_of<std::int64_t>(message, "lease")},
          {"call", field_of<std::int64_t>(message, "call")},
          {"is_granted", room.is_granted},
          {"used_bytes", room.used_bytes}};
}

bool ProgramKept::has_unwanted() const {
  if (!unwanted_.empty()) return true;
  return most_s_ && table_.has_expired(program_, KeptTable::Seconds(*most_s_));
}

std::vector<json> ProgramKept::take_discards() {
  std::map<std::string, std::vector<std::string>> names;  // By what has happened to them.
  if (most_s_) {
    names[expired_happened] = table_.take_expired(program_, KeptTable::Seconds(*most_s_));
  }
  for (const auto& [name, happened] : std::exchange(unwanted_, {})) {
    // Meanwhile its client may have freed it, or the ranks may have been started anew.
    if (table_.remove(program_, name)) names[happened].push_back(name);
  }
  std::vector<json> messages;
  for (const auto& [happened, all] : names) {
    for (std::size_t begin = 0; begin < all.size(); begin += names_at_once) {
      const std::size_t count = std::min(names_at_once, all.size() - begin);
      messages.push_back(discard_of(std::span(all).subspan(begin, count), happened));
    }
  }
  return messages;
}

}  // namespace tasuki::rpc
