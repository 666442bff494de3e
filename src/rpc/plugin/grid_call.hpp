// How GridRPC makes a call, at once or in a session, of a function or of a method.
//
// Used by grpc_call, grpc_invoke_np and the functions beside them. Thread-safety: any thread.
#pragma once

#include <any>
#include <memory>
#include <span>
#include <utility>

#include "rpc/plugin/grid.hpp"
#include "rpc/sessions/routine_call.hpp"
#include "rpc/sessions/routine_name.hpp"
#include "rpc/sessions/variable_arguments.hpp"

namespace tasuki::rpc {

/// `read` returns the arguments of a routine.
template <class Read>
RoutineCall prepare_call(Grid& grid, const GridFunction& function, Read read) {
  ClientPool::Taken client = client_of(grid, function.server, GRPC_COMMUNICATION_FAILED);
  const auto found = find_routine(client->modules(), function.routine);
  try {
    CallArguments arguments = read(found.routine);
    return {std::move(client), found, std::move(arguments), function.object};
  } catch (const error& fault) {
    throw GridError(GRPC_OTHER_ERROR_CODE, fault);
  }
}

/// `find` returns the GridFunction that a handle stands for.
template <class Find, class Read>
grpc_error_t call_now(Find find, Read read) {
  const auto call = [&] {
    const std::shared_ptr<Grid> grid = grid_or_throw();
    grid_thread().last_report.emplace(prepare_call(*grid, find(*grid), read)());
    return GRPC_NO_ERROR;
  };
  return grid_result(call, GRPC_SESSION_FAILED);
}

/// `handle` is what grpc_get_handle, or its counterpart for objects, returns for the session.
template <class Find, class Read>
grpc_error_t begin_call(Find find, std::any handle, grpc_sessionid_t* session, Read read) {
  return grid_result([&] {
    check_not_null(session, "place for the session's number");
    const std::shared_ptr<Grid> grid = grid_or_throw();
    RoutineCall call = prepare_call(*grid, find(*grid), read);
    // The sessions end before the grid does.
    const auto keep = [&reports = grid->reports](int number, CallReport report) {
      reports.add(number, std::move(report));
    };
    *session = grid->sessions.begin(RoutineCall::in_session(std::move(call), keep), handle);
    return GRPC_NO_ERROR;
  });
}

/// Reads the arguments of a stack.
inline auto reader_of(const grpc_arg_stack_t* stack) {
  return [stack](const Routine& routine) {
    check_not_null(stack, "stack");
    const std::span<void* const> arguments(stack->arguments, stack->arguments_count);
    return arguments_from(routine, arguments);
  };
}

}  // namespace tasuki::rpc
