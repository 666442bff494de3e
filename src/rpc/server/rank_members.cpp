#include "rpc/server/rank_members.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tasuki/error.hpp>
#include <utility>

#include "base/host_name.hpp"
#include "rpc/wire/frame.hpp"
#include "rpc/wire/vanished_host.hpp"

namespace tasuki::rpc {

bool RankMembers::have_all_joined() const {
  return std::ranges::all_of(members_, [](const Member& one) { return one.connection != nullptr; });
}

bool RankMembers::have_all_gone() const {
  return std::ranges::none_of(members_,
                              [](const Member& one) { return one.connection != nullptr; });
}

Endpoint RankMembers::address_of(int rank) const {
  return {member(rank).connection->peer_host(), member(rank).port};
}

std::string RankMembers::host_of(int rank) const {
  const Member& asked = member(rank);
  const bool is_ambiguous = std::ranges::any_of(members_, [&](const Member& other) {
    return other.host == asked.host && other.address != asked.address;
  });
  if (asked.host.empty() || !is_ambiguous) return asked.host;
  return fmt::format("{} ({})", asked.host, asked.address);
}

std::vector<RankHost> RankMembers::other_hosts() const {
  std::vector<RankHost> hosts;
  for (int rank = 0; rank < ranks(); ++rank) {
    const std::string name = host_of(rank);
    if (name.empty()) continue;
    const auto found = std::ranges::find(hosts, name, &RankHost::name);
    RankHost& host = found == hosts.end() ? hosts.emplace_back(RankHost{name, {}}) : *found;
    host.ranks.push_back(rank);
  }
  return hosts;
}

bool RankMembers::has_silent_host(int rank) const {
  return is_silent_host(member(rank).connection->descriptor());
}

void RankMembers::join(int rank, Connection connection, std::uint16_t port,
                       const std::string& host) {
  const std::string address = connection->peer_host();
  const bool is_here = is_loopback(address) || address == connection->own_host();
  const bool is_own = is_here && (host.empty() || host == base::host_name());
  const std::string name = is_own ? std::string() : host.empty() ? address : host;
  members_.at(static_cast<std::size_t>(rank)) = {std::move(connection), port, address, name};
}

void RankMembers::lose(int rank) { members_.at(static_cast<std::size_t>(rank)) = {}; }

void RankMembers::shut_down() const {
  for (const Member& one : members_) {
    if (one.connection) one.connection->shut_down();
  }
}

void RankMembers::clear() {
  shut_down();
  for (Member& one : members_) one = {};
}

void RankMembers::tell(int rank, const nlohmann::json& message) const {
  Socket& connection = *member(rank).connection;
  try {
    send_frame(connection, message);
  } catch (const error&) {
    connection.shut_down();  // Its thread notices, and the lease fails.
  }
}

void RankMembers::tell_all(const nlohmann::json& message,
                           const std::function<bool(int rank)>& is_meant) const {
  for (int rank = 0; rank < ranks(); ++rank) {
    if (has_joined(rank) && is_meant(rank)) tell(rank, message);
  }
}

}  // namespace tasuki::rpc
