// A rank's part of the watch over the hosts of its job: makes the watcher if the rank is the first
// of its node, and hears from it.
//
// Each transport between nodes has one. Thread-safety: none.
#pragma once

#include <string>
#include <vector>

#include "transport/node_exchange.hpp"

namespace tasuki::transport::watch {

class HostWatch {
 public:
  /// That a verdict may come after the time limit, where others use the cores of a watcher.
  static constexpr double verdict_late_s = 2;

  HostWatch() = default;
  ~HostWatch() { finish(); }
  HostWatch(const HostWatch&) = delete;
  HostWatch& operator=(const HostWatch&) = delete;

  /// Collective. Does nothing if all ranks are on one node. Hosts that cannot be watched are
  /// reported, and are no reason not to run. Throws tasuki::error (the network's).
  void start(const JobExchange& job, const std::vector<Introduction>& all);
  /// This rank has done its part of the job: it does not matter any more who vanishes.
  void finish() noexcept;

  /// For a rank that cannot reach another one, and is to fail: waits as long as it may take until
  /// it is known whether a host has vanished. Returns: has one?
  static bool await_verdict() noexcept;

 private:
  int socket_ = -1;
};

}  // namespace tasuki::transport::watch
