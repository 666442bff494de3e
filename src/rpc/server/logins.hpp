// Who has logged in on the page: a browser keeps a random name of the login in a cookie, and never
// the user's token.
//
// Owned by the server's page; a server that starts anew knows no logins. Thread-safety: any thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "rpc/server/user.hpp"

namespace tasuki::rpc {

class Logins {
 public:
  using Clock = std::chrono::steady_clock;
  /// A user's. Beyond so many, the one of theirs that was not used for longest ends.
  static constexpr std::ptrdiff_t of_user_most = 16;
  /// A login ends when nobody has used it for so long.
  static constexpr std::chrono::hours idle_most{12};

  /// Returns: the name of the login.
  std::string begin(std::shared_ptr<const User> user, Clock::time_point now = Clock::now());
  /// Returns: who has logged in; nullptr if there is no such login, or not any more.
  std::shared_ptr<const User> find(const std::string& name, Clock::time_point now = Clock::now());
  /// Does nothing if there is no such login.
  void end(const std::string& name);

 private:
  struct Login {
    std::shared_ptr<const User> user;
    Clock::time_point last_use;
  };

  std::mutex mutex_;
  /// By digests of names, so that how long a search takes tells nothing of them. Guarded by mutex_.
  std::map<std::string, Login> logins_;
};

}  // namespace tasuki::rpc
