// UCX's context: what UCX has found on this host, and the settings by which it sends.
//
// Owned by the worker. Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "transport/ucx/functions.hpp"

namespace tasuki::transport::ucx {

/// What errors say that was being done.
inline constexpr const char* starting = "starting the ucx transport";

/// From here on bulk data stay where they are until their receiver wants them. UCX might send them
/// eagerly whatever their size (1.18 does so over TCP), into memory of its own at the receiver: a
/// bound on memory. Where no adapter takes part, smaller ones are sent eagerly: UCX's own limit is
/// lower, and the messages that ask for the data then cost more than the copy that they save
/// (docs/design/ucx.md).
inline constexpr std::size_t rendezvous_least_bytes = 65536;

class Context {
 public:
  /// `devices` as UCX_NET_DEVICES names them; nullptr: as the environment says.
  /// Throws tasuki::error (UCX).
  Context(std::size_t rank_count, const char* devices);

  ucp_context_h get() const noexcept { return owned_.get(); }
  /// Transports and devices that UCX has found here, as in "tcp/eth0".
  std::vector<std::string> ways() const;

 private:
  std::unique_ptr<ucp_context, decltype(&::ucp_cleanup)> owned_;
};

}  // namespace tasuki::transport::ucx
