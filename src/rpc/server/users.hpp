// All users of a server, found by their tokens.
//
// Owned by the front end. Thread-safety: any thread.
#pragma once

#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "rpc/server/user.hpp"

namespace tasuki::rpc {

/// What a client is told whose user is none any more.
inline constexpr const char* unknown_user_happened = "the server does not know the token any more";
inline constexpr const char* unknown_user_remedy = "ask the server's operator for a new one";

class Users {
 public:
  /// Without users, nobody needs a token.
  explicit Users(std::vector<User> users) { replace(std::move(users)); }

  /// From now on these are the users. Sessions go on for whom they were begun.
  void replace(std::vector<User> users);
  bool need_token() const;
  /// Returns: whose token it is; a user without name or limits if nobody needs one; nullptr if it
  /// is nobody's. It takes the same time for each wrong token.
  std::shared_ptr<const User> find(std::string_view token) const;
  /// Returns: who has now the token by which this user came in; nullptr if nobody has.
  std::shared_ptr<const User> current(const User& user) const;

 private:
  /// Requires: mutex_ is held.
  std::shared_ptr<const User> find_digest(std::string_view digest) const;

  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<const User>> users_;  ///< Guarded by mutex_.
};

}  // namespace tasuki::rpc
