// A rank's connection to the front end, with a thread that listens even while a routine runs.
//
// Once the front end has gone, the process ends after some seconds, whatever the routine does.
// Owned by the rank's service. Thread-safety: any thread sends; one thread waits for leases and
// serves them.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "rpc/links/kept_quota.hpp"
#include "rpc/rank/call_gate.hpp"
#include "rpc/rank/kept_owner.hpp"
#include "rpc/wire/socket.hpp"
#include "rpc/wire/wake_up.hpp"

namespace tasuki::rpc {

/// What the front end wants to be freed, and why.
struct DiscardOrder {
  std::vector<std::string> names;  ///< Of arrays and objects.
  std::string happened;            ///< For calls that name them later.
};

/// What the front end says when it leases the ranks.
struct LeaseOrder {
  std::int64_t number = 0;
  std::string ticket;
  KeptOwner owner = {};                         ///< Who has the ranks.
  std::vector<std::int64_t> gone_clients = {};  ///< Since the lease before.
  std::int64_t call_most_bytes = 0;             ///< That a call's arrays may need here.
  double client_most_s = 0;                     ///< The client may do next to nothing in a call.
  std::optional<KeptQuota> kept_quota = {};     ///< Of the client's user, if there is one.
  std::optional<Endpoint> call_back = {};       ///< Where the client waits, if it does.
};

class FrontEndLink {
 public:
  /// For a call that is under way when the front end goes: its client may still get the results.
  static constexpr std::chrono::seconds usual_call_patience{5};

  /// The front end has answered `join` before.
  explicit FrontEndLink(Socket socket, std::chrono::seconds call_patience = usual_call_patience);
  ~FrontEndLink();
  FrontEndLink(const FrontEndLink&) = delete;
  FrontEndLink& operator=(const FrontEndLink&) = delete;

  using Discard = std::function<void(const DiscardOrder& order)>;

  /// Waits for the next lease. `discard` is called with what the front end wants to be freed before
  /// it. Who connects to the listener, and no lease follows in time, is refused. Returns: nothing
  /// once the front end has gone.
  std::optional<LeaseOrder> next_lease(const Discard& discard, Listener& listener);
  /// Messages of the lease go to the gate until a gate is given for another lease, or none.
  void attend(std::int64_t lease, CallGate* gate);
  /// Does nothing if the front end has gone. Throws tasuki::error if the message is too long.
  void send(const nlohmann::json& message);
  /// Waits for what the front end says of the room that rank 0 has asked for in a call of the lease
  /// under way. Returns: nothing if it says nothing in time, or has gone.
  std::optional<KeptRoom> await_room(std::int64_t call, Socket::Seconds patience);
  /// Becomes readable when a gate may have changed, or the front end has gone.
  WakeUp& wake_up() noexcept { return wake_up_; }
  bool has_gone() const noexcept { return has_gone_; }

 private:
  void listen();
  void take(const nlohmann::json& message);

  Socket socket_;
  const std::chrono::seconds call_patience_;
  WakeUp wake_up_;
  std::atomic<bool> has_gone_ = false;
  std::mutex sending_;
  std::mutex mutex_;
  // Guarded by mutex_:
  std::optional<LeaseOrder> order_;
  std::vector<DiscardOrder> discards_;
  std::int64_t attended_ = 0;
  CallGate* gate_ = nullptr;
  std::map<std::int64_t, KeptRoom> rooms_;  ///< By call of the lease; it may still be to come.
  std::condition_variable rooms_changed_;
  std::optional<bool> early_hold_;  ///< Has come before the gate of its lease: what it said.
  bool is_over_ = false;
  std::condition_variable over_;
  std::thread thread_;
};

}  // namespace tasuki::rpc
