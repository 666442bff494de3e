// Which routines of a server take other arguments than when a client connected.
//
// Used by the client when a server has reloaded its interfaces. Thread-safety: pure functions.
#pragma once

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "rpc/interface/module.hpp"

namespace tasuki::rpc {

/// `now` is what the server says of its modules. Returns: the routines and methods, as
/// "module/routine", of those that are known whose parameters are others now, or that are not there
/// any more. Throws tasuki::error if `now` is malformed.
std::set<std::string> changed_routines(const std::vector<Module>& known,
                                       const std::vector<nlohmann::json>& now);

}  // namespace tasuki::rpc
