// What the interface says of a routine's cost.
//
// Used by the client. Thread-safety: a pure function.
#pragma once

#include <cstdint>
#include <optional>

#include "rpc/interface/module.hpp"

namespace tasuki::rpc {

/// Returns: its number of operations; nothing if the interface says none, or none that 64 bits
/// hold.
std::optional<std::int64_t> operations_of(const Routine& routine, const Integers& integers);

}  // namespace tasuki::rpc
