// What a client may ask of the ranks while it has them: the least of what its module and its user
// allow.
//
// Used when ranks are leased. Thread-safety: pure functions.
#pragma once

#include <cstdint>

#include "rpc/server/call_watch.hpp"
#include "rpc/server/server_options.hpp"
#include "rpc/server/user.hpp"

namespace tasuki::rpc {

/// What the arrays of a call may need on a rank.
std::int64_t call_most_bytes(const ModuleLimits& module, const User& user);
/// `is_staged`: its arrays pass through the front end, which is the client of the ranks then, and
/// watches its own client.
WatchLimits watch_limits(const ModuleLimits& module, const User& user, bool is_staged);

}  // namespace tasuki::rpc
