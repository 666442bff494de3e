// How many connections the clients of each user have: each costs the front end a thread and a
// descriptor.
//
// Owned by the entrance of the front end. Thread-safety: any thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "rpc/server/user.hpp"

namespace tasuki::rpc {

class UserConnections {
 public:
  /// A user has at most `most`, unless the user's own limits say otherwise.
  explicit UserConnections(std::int64_t most) : most_(most) {}
  UserConnections(const UserConnections&) = delete;
  UserConnections& operator=(const UserConnections&) = delete;

  /// While it lives, the user has one connection more.
  class Place {
   public:
    /// Requires: `all` has counted the connection, and outlives it.
    Place(UserConnections& all, std::string user) : all_(all), user_(std::move(user)) {}
    ~Place() { all_.leave(user_); }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

   private:
    UserConnections& all_;
    const std::string user_;
  };

  /// Throws NamedError if the user has as many as allowed.
  std::unique_ptr<Place> enter(const User& user);

 private:
  void leave(const std::string& user);

  const std::int64_t most_;
  std::mutex mutex_;
  std::map<std::string, std::int64_t> counts_;  ///< Guarded by mutex_. By the user's name.
};

}  // namespace tasuki::rpc
