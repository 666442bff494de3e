// Runs a function of the client for a routine that calls it.
//
// Used by Client during a call. Thread-safety: the thread that calls.
#pragma once

#include "rpc/client/client_function.hpp"
#include "rpc/interface/call_layout.hpp"
#include "rpc/links/exchange.hpp"

namespace tasuki::rpc {

/// Throws tasuki::error that names the callback if there is no function for it, or a function for
/// none.
void check_functions(const Routine& routine, const ClientFunctions& functions);

/// Returns: what serves the routine's callbacks; empty if it has none. Requires: all outlive it.
ServeCallback serve_callback_of(const Routine& routine, const Integers& integers, WireFormat wire,
                                const ClientFunctions& functions);

}  // namespace tasuki::rpc
