// Finds who has a ticket among those that connect: the client of a lease, where the rank listens,
// and a rank, where the client does.
//
// Thread-safety: none; one thread.
#pragma once

#include <chrono>
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

/// How long whoever connects may take.
struct AdmissionLimits {
  /// A client connects as soon as it is told where.
  std::chrono::seconds connection_wait{5};
  /// For the rest of a ticket of which the first byte has come, on an encrypted connection.
  Socket::Seconds ticket_wait{1};
};

class Admission {
 public:
  /// Connections are encrypted by keys made from their tickets, or not at all. Requires: the
  /// listener outlives this.
  Admission(Listener& listener, bool is_encrypted, const AdmissionLimits& limits = {});
  Admission(const Admission&) = delete;
  Admission& operator=(const Admission&) = delete;

  bool is_encrypted() const noexcept { return tls_.has_value(); }

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
  /// Refuses those that have not given a ticket: all have been given.
  void refuse_others() noexcept { candidates_.clear(); }

 private:
  /// Takes a new connection among the candidates.
  void take();

  /// Returns: the first message of a candidate of which something has come; nothing if that is
  /// still to come.
  std::optional<nlohmann::json> hear(Socket& candidate, bool has_ended);

  Listener& listener_;
  const AdmissionLimits limits_;
  std::span<const std::string> tickets_;  ///< While somebody waits for who has them.
  std::optional<TlsContext> tls_;
  std::vector<Socket> candidates_;  ///< They have not said all of their first message yet.
};

}  // namespace tasuki::rpc
