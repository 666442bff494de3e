// Whether a call that is under way must be ended: because it takes too long, or because its client
// holds the ranks up by sending or taking next to nothing.
//
// Made by a module's processes for each lease, and told what its ranks say of calls. Thread-safety:
// none.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rpc/server/lease_state.hpp"
#include "rpc/wire/call_state.hpp"

namespace tasuki::rpc {

/// What has no value has no limit.
struct WatchLimits {
  std::optional<double> call_most_s = {};
  /// For so long a client may move less than Pace::least_bytes_per_s, while it is its turn.
  std::optional<double> client_most_s = {};
};

/// Of a client that holds the ranks up. `operation` is for errors.
LeaseFault slow_client_fault(std::string operation, double client_most_s);

class CallWatch {
 public:
  using Clock = std::chrono::steady_clock;

  /// `operation` is for errors.
  CallWatch(std::string operation, WatchLimits limits, int ranks)
      : operation_(std::move(operation)),
        limits_(limits),
        parts_(static_cast<std::size_t>(ranks)) {}

  /// Is a call under way, as far as the ranks have told?
  bool is_busy() const;
  /// Takes what a rank says ("calls"). Throws tasuki::error if the message is malformed.
  void take(int rank, const nlohmann::json& message, Clock::time_point now = Clock::now());
  /// Returns: why the lease must end, if it must. To be asked after each message, and now and then,
  /// as a rank for whose call the client lets all others wait says nothing.
  std::optional<LeaseFault> check(Clock::time_point now = Clock::now());

 private:
  /// What a rank has said last.
  struct Part {
    std::int64_t call = 0;   ///< The last one that has begun.
    std::int64_t ended = 0;  ///< The last one that has ended.
    CallState state = CallState::done;
    double age_s = 0;              ///< Of the call, when the rank said so.
    Clock::time_point told;        ///< When that was: a rank that is stopped says nothing more.
    std::int64_t moved_bytes = 0;  ///< In the whole lease.
    bool waits = false;            ///< For the client to send or to take something.
  };
  /// A time in which the ranks wait for the client.
  struct Turn {
    Clock::time_point begin;
    std::int64_t call = 0;  ///< The last one that had begun on any rank.
    std::int64_t moved_bytes = 0;
  };

  std::int64_t last_call() const;
  bool is_clients_turn() const;
  bool has_slow_client(Clock::time_point now);

  std::string operation_;
  WatchLimits limits_;
  std::vector<Part> parts_;
  std::optional<Turn> turn_;
};

}  // namespace tasuki::rpc
