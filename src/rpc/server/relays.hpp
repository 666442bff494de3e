// Connections that the front end passes on between a client and the ranks that it cannot reach.
//
// Owned by the front end; a client asks for them with its lease. Thread-safety: any thread; each
// relayed connection has one.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "rpc/wire/socket.hpp"

namespace tasuki::rpc {

class Relays {
 public:
  /// A connection that begins with the ticket is to be passed on to a rank, once.
  void add(const std::string& ticket, const Endpoint& rank);
  /// Nobody will come with the ticket any more.
  void remove(const std::string& ticket);
  /// Passes on what client and rank send, through a small buffer, until one of them ends the
  /// connection. Throws tasuki::error if the ticket is not known or the rank cannot be reached.
  void relay(Socket& client, const std::string& ticket);

 private:
  std::mutex mutex_;
  std::map<std::string, Endpoint> ranks_;  ///< Guarded by mutex_.
};

}  // namespace tasuki::rpc
