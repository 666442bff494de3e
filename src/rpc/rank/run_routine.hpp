// Runs a routine of the rank's program on what a call has brought.
//
// Used by the server of calls, and for what runs when objects begin and end. Thread-safety: none;
// the thread that runs routines.
#pragma once

#include <cstdint>
#include <tasuki/routines.hpp>

#include "rpc/rank/call_memory.hpp"
#include "rpc/rank/callback_caller.hpp"

namespace tasuki::rpc {

/// `object` is the number of the object whose method it is, 0 if it is no method. `callbacks` calls
/// the client's functions, if that is possible. Throws tasuki::error if the routine fails or
/// throws.
void run_routine(const RoutineEntry& entry, CallMemory& memory, std::int64_t object,
                 CallbackCaller* callbacks = nullptr);

}  // namespace tasuki::rpc
