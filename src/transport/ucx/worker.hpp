// The one worker of a UCX context: what everything that a rank sends and receives goes through.
//
// Owned by the endpoint. Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <vector>

#include "transport/ucx/context.hpp"
#include "transport/ucx/functions.hpp"

namespace tasuki::transport::ucx {

class Worker {
 public:
  /// `devices` as UCX_NET_DEVICES names them; nullptr: as the environment says.
  /// Throws tasuki::error (UCX).
  explicit Worker(std::size_t rank_count, const char* devices = nullptr);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  ucp_worker_h get() const noexcept { return worker_; }
  const Context& context() const noexcept { return context_; }
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
  Context context_;
  ucp_worker_h worker_ = nullptr;
};

}  // namespace tasuki::transport::ucx
