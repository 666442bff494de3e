// Functions of the client that routines call, by the names of the arguments that they are.
//
// Given with a call, and run by the thread that calls. Thread-safety: a value.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

namespace tasuki::rpc {

/// Gets a pointer to each array of the callback, and writes what comes back. Returns: why it has
/// failed, if it has.
using ClientFunction = std::function<std::optional<std::string>(void* const* arguments)>;
using ClientFunctions = std::map<std::string, ClientFunction>;

}  // namespace tasuki::rpc
