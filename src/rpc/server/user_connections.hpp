// How many connections the clients of each user have, and may have.
//
// Owned by the entrance of the front end. Thread-safety: any thread.
#pragma once

#include <cstdint>
#include <memory>

#include "rpc/server/places.hpp"
#include "rpc/server/user.hpp"

namespace tasuki::rpc {

class UserConnections {
 public:
  /// A user has at most `most`, unless the user's own limits say otherwise.
  explicit UserConnections(std::int64_t most) : most_(most) {}
  UserConnections(const UserConnections&) = delete;
  UserConnections& operator=(const UserConnections&) = delete;

  using Place = Places::Place;

  /// Throws NamedError if the user has as many as allowed.
  std::unique_ptr<Place> enter(const User& user);

 private:
  const std::int64_t most_;
  Places places_;  ///< By the user's name.
};

}  // namespace tasuki::rpc
