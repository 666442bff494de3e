// A UCX context with its one worker: what everything that a rank sends and receives goes through.
//
// Owned by the endpoint. Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "transport/ucx/functions.hpp"

namespace tasuki::transport::ucx {

/// From here on bulk data stay where they are until their receiver wants them. UCX might send them
/// eagerly whatever their size (1.18 does so over TCP), into memory of its own at the receiver: a
/// bound on memory. Where no adapter takes part, smaller ones are sent eagerly: UCX's own limit is
/// lower, and the messages that ask for the data then cost more than the copy that they save
/// (docs/design/ucx.md).
inline constexpr std::size_t rendezvous_least_bytes = 65536;

class Worker {
 public:
  /// `devices` as UCX_NET_DEVICES names them; nullptr: as the environment says.
  /// Throws tasuki::error (UCX).
  explicit Worker(std::size_t rank_count, const char* devices = nullptr);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  ucp_worker_h get() const noexcept { return worker_; }
  ucp_context_h context() const noexcept { return context_; }
  /// Transports and devices that UCX has found here, as in "tcp/eth0".
  std::vector<std::string> ways() const;
  /// By which other processes reach this one.
  std::vector<std::byte> address() const;
  /// `handler` is called with `argument` inside `progress`, for each active message of `id`.
  void handle_active_messages(unsigned id, ucp_am_recv_callback_t handler, void* argument);
  /// Returns: has anything happened?
  bool progress() const noexcept { return functions_.worker_progress(worker_) != 0; }
  /// Waits until the request is complete. Requires: `request` is what UCX has returned.
  ucs_status_t finish(ucs_status_ptr_t request) const;

 private:
  const Functions& functions_;
  ucp_context_h context_ = nullptr;
  ucp_worker_h worker_ = nullptr;
};

}  // namespace tasuki::transport::ucx
