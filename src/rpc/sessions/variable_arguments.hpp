// The arguments of a call as C functions without a fixed list of arguments get them.
//
// The interface says of which type each is: Ninf_call, grpc_call and stacks of arguments are read
// by it. Thread-safety: pure functions.
#pragma once

#include <cstdarg>
#include <span>

#include "rpc/interface/module.hpp"
#include "rpc/sessions/call_arguments.hpp"

namespace tasuki::rpc {

/// Reads what follows in `arguments`: of each argument that is given, in order, the value if it is
/// a scalar, else a pointer. Requires: there is as much as the routine takes. Throws like
/// call_arguments.
CallArguments arguments_from(const Routine& routine, std::va_list arguments);

/// The same of pointers; those to scalars point at values of the interface's type. Throws
/// tasuki::error if they are more or fewer than the routine takes.
CallArguments arguments_from(const Routine& routine, std::span<void* const> arguments);

}  // namespace tasuki::rpc
