// What a client is told that does not get what it asks for.
//
// Thread-safety: pure functions.
#pragma once

#include <nlohmann/json.hpp>
#include <tasuki/error.hpp>

namespace tasuki::rpc {

/// Returns: a message from which throw_refusal makes the error again, with its kind if it is a
/// NamedError.
nlohmann::json refusal_of(const error& fault);
[[noreturn]] void throw_refusal(const nlohmann::json& message);

}  // namespace tasuki::rpc
