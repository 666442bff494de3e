// What the front end tells Prometheus: docs/formats/server-api.md.
//
// Called by ServerPage to answer /metrics. Thread-safety: any thread.
#pragma once

#include <string>

#include "rpc/server/server_view.hpp"

namespace tasuki::rpc {

/// Returns: all metrics in Prometheus' text format.
std::string server_metrics(const ServerView& view);

}  // namespace tasuki::rpc
