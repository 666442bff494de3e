// What the interface says of a routine's cost, in the report of a call.
//
// Used by the client. Thread-safety: a pure function.
#pragma once

#include <nlohmann/json.hpp>

#include "rpc/interface/module.hpp"

namespace tasuki::rpc {

/// Adds the fields `operations` and `operations_per_s`, by the rank that has computed for longest.
/// Adds nothing if the interface says no number of operations, or none that 64 bits hold.
void report_operations(const Routine& routine, const Integers& integers, nlohmann::json& report);

}  // namespace tasuki::rpc
