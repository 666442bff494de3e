// What a watcher tells the ranks of its host about hosts that have vanished.
//
// Part of the watcher's process. Thread-safety: none. Nothing here allocates memory.
#pragma once

#include <tasuki/detail/transport/vanished_hosts.hpp>

#include "transport/watch/heartbeats.hpp"
#include "transport/watch/watcher.hpp"

namespace tasuki::transport::watch {

/// Fills all but `speaker`, and then `is_written`. Requires: there is a verdict.
void write_verdict(const WatchPlan& plan, const Heartbeats& heartbeats, VanishedHosts& told);

}  // namespace tasuki::transport::watch
