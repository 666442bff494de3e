#include "rpc/server/user_connections.hpp"

#include <fmt/format.h>

#include "rpc/wire/named_error.hpp"

namespace tasuki::rpc {

using Guard = std::lock_guard<std::mutex>;

std::unique_ptr<UserConnections::Place> UserConnections::enter(const User& user) {
  const std::int64_t most = user.limits.connections_at_once.value_or(most_);
  {
    const Guard guard(mutex_);
    std::int64_t& count = counts_[user.name];
    if (count >= most) {
      throw NamedError(
          quota_kind, "connect",
          fmt::format("{} have {} connections, and the server allows no more",
                      user.name.empty() ? "all clients" : "the clients of user " + user.name,
                      count),
          "disconnect other clients, or ask for a larger --connection-limit or quota "
          "connections_at_once");
    }
    ++count;
  }
  return std::make_unique<Place>(*this, user.name);
}

void UserConnections::leave(const std::string& user) {
  const Guard guard(mutex_);
  const auto found = counts_.find(user);
  if (--found->second == 0) counts_.erase(found);
}

}  // namespace tasuki::rpc
