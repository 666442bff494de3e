// A client's connection to the front end of one server.
//
// Owned by Client, which has one at a time. A server whose process is stopped, or whose host is
// paused, ends no connection, and its system may go on to answer. So servers that know how are
// watched while the client waits for an answer, or for ranks: the front end gives signs of life,
// or is asked. Thread-safety: one thread at a time, but for `check` and `shut_down`.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "rpc/client/credentials.hpp"
#include "rpc/wire/named_error.hpp"
#include "rpc/wire/pulse.hpp"
#include "rpc/wire/socket.hpp"

namespace tasuki::rpc {

/// The server cannot be reached, does not let the client in, or has ended the connection. Another
/// one may serve the client.
class ServerGone : public NamedError {
 public:
  explicit ServerGone(const error& fault)
      : NamedError(kind_of(fault), fault.operation(), fault.happened(), fault.remedy()) {}
};

/// The kind of what follows, which no server says.
inline constexpr const char* silent_kind = "silent";
/// The server has given no sign of life for too long.
class ServerSilent : public ServerGone {
 public:
  using ServerGone::ServerGone;
};
inline bool is_silence(const error& fault) noexcept {
  return dynamic_cast<const ServerSilent*>(&fault) != nullptr;
}

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

  /// Shall who waits for the server's ranks call `check` about each second?
  bool is_watched() const noexcept { return is_watched_; }
  /// Hears what the front end has said, and asks it whether it is there if it has said nothing for
  /// some time. `moved_bytes` by all connections to ranks: what moves is a sign of life, too.
  /// Throws ServerSilent. Any thread, while nobody exchanges messages.
  void check(std::int64_t moved_bytes);

  /// Returns: the answer, be it a refusal. Throws ServerGone.
  nlohmann::json exchange(const nlohmann::json& message);
  /// The same, but a refusal is thrown as tasuki::error.
  nlohmann::json ask(const nlohmann::json& message);
  /// The same with a time limit, as front ends know the answer.
  OfferedInterfaces ask_interfaces();

 private:
  void greet(const Credentials& credentials);
  /// As `exchange`, within the time limit of the socket.
  nlohmann::json converse(const nlohmann::json& message);
  /// Receives the next answer: what is none, but a sign of life, comes before it.
  nlohmann::json receive_answer();
  /// Receives one message, part of which may have come already.
  nlohmann::json receive_message();
  /// Of the message of which part has come, as far as that tells.
  std::size_t missing_bytes() const;
  /// Has a whole sign of life come? Does not wait.
  bool has_sign_come();
  /// Throws ServerSilent if there was no sign of life for too long. Returns: is the front end to be
  /// asked for one?
  bool count_silence(std::int64_t moved_bytes);
  NamedError fault_of_silence() const;

  Endpoint endpoint_;
  double silence_most_s_;  ///< 0: for ever.
  Socket socket_;
  std::string address_;
  std::atomic<bool> is_watched_ = false;
  std::vector<std::uint8_t> come_ = {};  ///< Part of a message, whose rest is still to come.
  std::mutex mutex_;                     ///< Guards what follows, and all in `check`.
  Pulse pulse_;
  std::int64_t moved_bytes_ = 0;  ///< When the silence was last counted.
};

}  // namespace tasuki::rpc
