// A client's connection to the front end of one server.
//
// Owned by Client, which has one at a time. Thread-safety: one thread at a time, but for shut_down.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "rpc/client/credentials.hpp"
#include "rpc/wire/named_error.hpp"
#include "rpc/wire/socket.hpp"

namespace tasuki::rpc {

/// The server cannot be reached, does not let the client in, or has ended the connection. Another
/// one may serve the client.
class ServerGone : public NamedError {
 public:
  explicit ServerGone(const error& fault)
      : NamedError(kind_of(fault), fault.operation(), fault.happened(), fault.remedy()) {}
};

/// What a server offers.
struct OfferedInterfaces {
  std::vector<nlohmann::json> modules;
  std::int64_t revision = 1;
};

class ServerLink {
 public:
  /// Throws ServerGone.
  ServerLink(const Endpoint& server, const Credentials& credentials);

  const Endpoint& endpoint() const noexcept { return endpoint_; }
  const std::string& peer() const noexcept { return socket_.peer(); }
  /// The server's address and port, the same however it was named.
  const std::string& address() const noexcept { return address_; }
  /// The address by which the server reaches this host.
  std::string own_host() const { return socket_.own_host(); }
  /// Has the server ended the connection? Does not wait.
  bool has_ended() const noexcept { return socket_.has_ended(); }
  /// Ends the connection: a question under way fails. Any thread.
  void shut_down() noexcept { socket_.shut_down(); }

  /// Returns: the answer, be it a refusal. Throws ServerGone.
  nlohmann::json exchange(const nlohmann::json& message);
  /// The same, but a refusal is thrown as tasuki::error.
  nlohmann::json ask(const nlohmann::json& message);
  /// The same with a time limit, as front ends know the answer.
  OfferedInterfaces ask_interfaces();

 private:
  void greet(const Credentials& credentials);

  Endpoint endpoint_;
  Socket socket_;
  std::string address_;
};

}  // namespace tasuki::rpc
