#include "rpc/server/user_connections.hpp"

#include <fmt/format.h>

#include <string>

#include "rpc/wire/named_error.hpp"

namespace tasuki::rpc {

std::unique_ptr<UserConnections::Place> UserConnections::enter(const User& user) {
  const std::int64_t most = user.limits.connections_at_once.value_or(most_);
  if (auto place = places_.enter(user.name, most)) return place;
  throw NamedError(
      quota_kind, "connect",
      fmt::format("{} have {} connections, and the server allows no more",
                  user.name.empty() ? "all clients" : "the clients of user " + user.name, most),
      "disconnect other clients, or ask for a larger --connection-limit or quota "
      "connections_at_once");
}

}  // namespace tasuki::rpc
