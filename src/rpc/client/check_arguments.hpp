// Checks the arrays of a call before anything is sent.
//
// Used by Client. Thread-safety: a pure function.
#pragma once

#include <string>
#include <vector>

#include "rpc/client/call_array.hpp"
#include "rpc/interface/call_layout.hpp"

namespace tasuki::rpc {

/// Throws tasuki::error that names the argument if the arrays, one for each array parameter in
/// order, are not those that the layout needs. The ranks check what they have.
void check_arguments(const Routine& routine, const CallLayout& layout,
                     const std::vector<CallArray>& arrays);

/// The same for one array. Throws tasuki::error that names it.
void check_array(const Routine& routine, const Parameter& parameter,
                 const layout::ArrayLayout& layout, const ArrayArgument& array);

/// Throws tasuki::error if a method is called without an object, or something else with one.
void check_object(const Routine& routine, const std::string& object);

}  // namespace tasuki::rpc
