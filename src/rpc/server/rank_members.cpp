#include "rpc/server/rank_members.hpp"

#include <algorithm>
#include <tasuki/error.hpp>
#include <utility>

#include "rpc/wire/frame.hpp"
#include "rpc/wire/vanished_host.hpp"

namespace tasuki::rpc {

bool RankMembers::have_all_joined() const {
  return std::ranges::all_of(members_, [](const Member& one) { return one.connection != nullptr; });
}

Endpoint RankMembers::address_of(int rank) const {
  return {member(rank).connection->peer_host(), member(rank).port};
}

RankHost RankMembers::host_of(int rank) const {
  const Member& asked = member(rank);
  RankHost host{asked.host, {}};
  for (int one = 0; one < ranks(); ++one) {
    const Member& other = member(one);
    const bool is_there = other.address == asked.address && other.host == asked.host;
    if (has_joined(one) && is_there) host.ranks.push_back(one);
  }
  return host;
}

bool RankMembers::has_silent_host(int rank) const {
  return is_silent_host(member(rank).connection->descriptor());
}

void RankMembers::join(int rank, Connection connection, std::uint16_t port,
                       const std::string& host) {
  const std::string address = connection->peer_host();
  const bool is_own = is_loopback(address) || address == connection->own_host();
  members_.at(static_cast<std::size_t>(rank)) = {std::move(connection), port, address,
                                                 is_own         ? std::string()
                                                 : host.empty() ? address
                                                                : host};
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
