// The processes of a module's program that have joined the front end: one for each rank.
//
// Owned by the module's processes. Thread-safety: none; its owner's mutex guards it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "rpc/wire/socket.hpp"

namespace tasuki::rpc {

/// The processes on a host.
struct RankHost {
  std::string name;        ///< With its address, if another host calls itself the same.
  std::vector<int> ranks;  ///< In order.
};

class RankMembers {
 public:
  using Connection = std::shared_ptr<Socket>;

  explicit RankMembers(int ranks) : members_(static_cast<std::size_t>(ranks)) {}

  int ranks() const noexcept { return static_cast<int>(members_.size()); }
  bool has_joined(int rank) const { return member(rank).connection != nullptr; }
  bool have_all_joined() const;
  /// Returns: is none there?
  bool have_all_gone() const;
  /// Is that the connection of the rank, which no other has replaced?
  bool is_of(int rank, const Connection& connection) const {
    return member(rank).connection == connection;
  }
  /// Where clients reach the rank. Requires: it has joined.
  Endpoint address_of(int rank) const;

  /// Returns: the name of its host; "" of the front end's own, and of a rank that has not joined.
  std::string host_of(int rank) const;
  /// Returns: the hosts but the front end's own from which ranks have joined, with these.
  std::vector<RankHost> other_hosts() const;
  /// Has its host answered nothing since something was sent there? Requires: it has joined.
  bool has_silent_host(int rank) const;

  /// `host` is the name of the rank's host, as it says itself, or "". A rank that comes from an
  /// address of the front end's own host, but names another one, comes through a tunnel.
  void join(int rank, Connection connection, std::uint16_t port, const std::string& host = {});
  void lose(int rank);
  /// Ends all connections, of which their threads take notice.
  void shut_down() const;
  /// Forgets all, whose connections end.
  void clear();

  /// Sends to a rank that has joined. If that fails, its connection ends.
  void tell(int rank, const nlohmann::json& message) const;
  /// The same to all for which `is_meant` says so.
  void tell_all(const nlohmann::json& message, const std::function<bool(int rank)>& is_meant) const;

 private:
  struct Member {
    Connection connection;
    std::uint16_t port = 0;
    std::string address = {};  ///< Of its host: a connection that has ended tells none.
    std::string host = {};     ///< Its name; "" of the front end's own.
  };
  const Member& member(int rank) const { return members_.at(static_cast<std::size_t>(rank)); }

  std::vector<Member> members_;
};

}  // namespace tasuki::rpc
