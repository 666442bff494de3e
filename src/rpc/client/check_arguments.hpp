// Checks the arrays of a call before anything is sent.
//
// Used by Client. Thread-safety: a pure function.
#pragma once

#include <vector>

#include "rpc/interface/call_layout.hpp"
#include "rpc/links/remote_call.hpp"

namespace tasuki::rpc {

/// Throws tasuki::error that names the argument if the arrays, one for each array parameter in
/// order, are not those that the layout needs.
void check_arguments(const Routine& routine, const CallLayout& layout,
                     const std::vector<ArrayArgument>& arrays);

}  // namespace tasuki::rpc
