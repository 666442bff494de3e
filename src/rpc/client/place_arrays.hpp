// The arrays of a call in its exchange with the ranks: which travel, and which the ranks read or
// write in the client's memory.
//
// Used by Client for each exchange. Thread-safety: any thread.
#pragma once

#include <tasuki/detail/layout/array_layout.hpp>
#include <vector>

#include "rpc/client/call_array.hpp"
#include "rpc/interface/call_layout.hpp"
#include "rpc/interface/module.hpp"
#include "rpc/links/exchange.hpp"

namespace tasuki::rpc {

/// An array of the exchange, of which the ranks are told where it is if they shall read it: it is
/// long enough, and `shares_memory` says that they can. Requires: all outlive the exchange.
PlacedArray placed_array(const Parameter& parameter, const layout::ArrayLayout& layout,
                         const ArrayArgument& array, bool shares_memory, Exchange& exchange);

/// Adds the arrays of a call that travel to the ranks or from them, and the names of those that are
/// there. Requires: there is one of `arrays` for each array parameter, and all outlive the
/// exchange.
void place_arrays(const Routine& routine, const CallLayout& layout,
                  const std::vector<CallArray>& arrays, bool shares_memory, Exchange& exchange);

}  // namespace tasuki::rpc
