#include "rpc/rank/run_routine.hpp"

#include <fmt/format.h>

#include <exception>
#include <tasuki/error.hpp>

#include "rpc/rank/current_call.hpp"

namespace tasuki::rpc {

void run_routine(const RoutineEntry& entry, CallMemory& memory, std::int64_t object,
                 CallbackCaller* callbacks) {
  CurrentCall call(memory, object, callbacks);
  try {
    entry.run(memory.arguments());
  } catch (const std::exception& fault) {
    call.fail(fault.what());
  }
  if (const auto happened = call.failure()) {
    throw error(fmt::format("run {}", entry.name), *happened, "check the arguments of the call");
  }
}

}  // namespace tasuki::rpc
