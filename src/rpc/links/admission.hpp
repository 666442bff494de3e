// Finds who has a ticket among those that connect: the client of a lease, where the rank listens,
// and a rank, where the client does.
//
// Thread-safety: none; one thread.
#pragma once

#include <cstddef>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rpc/wire/socket.hpp"
#include "rpc/wire/wake_up.hpp"

namespace tasuki::rpc {

class Admission {
 public:
  /// Requires: it outlives this.
  explicit Admission(Listener& listener) : listener_(listener) {}

  struct Admitted {
    std::size_t index = 0;  ///< Of the ticket.
    Socket socket;
    nlohmann::json message;  ///< In which the ticket was.
  };

  /// Returns: the connection that gives one of the tickets; nothing if none does in time, or once
  /// `is_over` is true, which is asked when `wake_up` says so. Other connections are closed, and
  /// hold nobody up.
  std::optional<Admitted> await(std::span<const std::string> tickets, WakeUp& wake_up,
                                const std::function<bool()>& is_over);

 private:
  /// Takes a new connection among the candidates.
  void take();

  Listener& listener_;
  std::vector<Socket> candidates_;  ///< They have said nothing yet.
};

}  // namespace tasuki::rpc
