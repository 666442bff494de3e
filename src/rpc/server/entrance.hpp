// Finds out who has connected to the front end, before anything else is said.
//
// Used on the thread of each connection. Thread-safety: any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "rpc/server/strangers.hpp"
#include "rpc/server/user.hpp"
#include "rpc/server/user_connections.hpp"
#include "rpc/server/users.hpp"
#include "rpc/tls/tls_context.hpp"
#include "rpc/wire/socket.hpp"

namespace tasuki::rpc {

/// A client that may ask, and whose it is.
struct Guest {
  std::shared_ptr<const User> user;
  std::unique_ptr<UserConnections::Place> place;  ///< Among the user's connections.
  std::optional<double> sign_s = {};  ///< So often it wants a sign of life while it waits.
};
/// It speaks HTTP; each of its requests says whose it is.
struct Browser {
  bool must_encrypt = false;  ///< It does not speak TLS, and others here do.
};
/// A client, a browser, or what somebody says that has a ticket or the key of a rank.
using Visitor = std::variant<Guest, Browser, nlohmann::json>;

class Entrance {
 public:
  /// With `tls`, all is encrypted. The clients of a user have at most `connections_most`
  /// connections, unless the user's own limit is another one.
  Entrance(std::vector<User> users, std::optional<TlsContext> tls, std::int64_t connections_most)
      : users_(std::move(users)), connections_(connections_most), tls_(std::move(tls)) {}

  /// Waits for the first message; greets who says hello with a good token. Throws tasuki::error if
  /// the peer may not come in: it has been told why, if it speaks the protocol.
  Visitor admit(const std::shared_ptr<Socket>& connection);
  /// Ends connections that have not said for too long who they are; to be called about each second.
  void end_late() { strangers_.end_late(); }
  Users& users() noexcept { return users_; }

 private:
  static constexpr std::size_t strangers_most = 64;
  static constexpr std::chrono::seconds patience{5};

  /// Tells a client that it must encrypt. Throws tasuki::error.
  [[noreturn]] static void refuse_plain(Socket& client);

  Guest greet(Socket& client, const nlohmann::json& hello);

  Users users_;
  UserConnections connections_;
  std::optional<TlsContext> tls_;
  Strangers strangers_{strangers_most, patience};
};

}  // namespace tasuki::rpc
