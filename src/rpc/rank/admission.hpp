// Finds the client of a lease among those that connect to a rank.
//
// Used by the rank's service. Thread-safety: none; the rank's own thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rpc/wire/socket.hpp"

namespace tasuki::rpc {

class Admission {
 public:
  /// `front_end` is a descriptor of the connection to it. Requires: both outlive it.
  Admission(Listener& listener, int front_end);

  /// Returns: the connection that gives the ticket; nothing if none does in time or the front end
  /// ends meanwhile. Other connections are closed, and hold nobody up.
  std::optional<Socket> await(const std::string& ticket);

 private:
  /// Takes a new connection among the candidates.
  void take();

  Listener& listener_;
  int front_end_;
  std::vector<Socket> candidates_;  ///< They have said nothing yet.
};

}  // namespace tasuki::rpc
