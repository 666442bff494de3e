// Finds the client of a lease among those that connect to a rank.
//
// Used by the rank's service. Thread-safety: none; the rank's own thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "rpc/wire/socket.hpp"
#include "rpc/wire/wake_up.hpp"

namespace tasuki::rpc {

class Admission {
 public:
  /// Requires: it outlives this.
  explicit Admission(Listener& listener) : listener_(listener) {}

  /// Returns: the connection that gives the ticket; nothing if none does in time, or once `is_over`
  /// is true, which is asked when `wake_up` says so. Other connections are closed, and hold nobody
  /// up.
  std::optional<Socket> await(const std::string& ticket, WakeUp& wake_up,
                              const std::function<bool()>& is_over);

 private:
  /// Takes a new connection among the candidates.
  void take();

  Listener& listener_;
  std::vector<Socket> candidates_;  ///< They have said nothing yet.
};

}  // namespace tasuki::rpc
