#include "rpc/server/rank_members.hpp"

#include <algorithm>
#include <tasuki/error.hpp>
#include <utility>

#include "rpc/wire/frame.hpp"

namespace tasuki::rpc {

bool RankMembers::have_all_joined() const {
  return std::ranges::all_of(members_, [](const Member& one) { return one.connection != nullptr; });
}

Endpoint RankMembers::address_of(int rank) const {
  return {member(rank).connection->peer_host(), member(rank).port};
}

void RankMembers::join(int rank, Connection connection, std::uint16_t port) {
  members_.at(static_cast<std::size_t>(rank)) = {std::move(connection), port};
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
