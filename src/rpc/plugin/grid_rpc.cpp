#include <tasuki/grpc.h>

#include <fmt/format.h>

#include <array>
#include <cstdarg>
#include <cstdio>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "rpc/plugin/grid.hpp"
#include "rpc/plugin/grid_call.hpp"
#include "rpc/plugin/last_error.hpp"
#include "rpc/sessions/routine_name.hpp"
#include "rpc/sessions/variable_arguments.hpp"

namespace {

using tasuki::rpc::begin_call;
using tasuki::rpc::call_now;
using tasuki::rpc::check_not_null;
using tasuki::rpc::check_session;
using tasuki::rpc::ClientPool;
using tasuki::rpc::error_of_session;
using tasuki::rpc::Grid;
using tasuki::rpc::grid_or_throw;
using tasuki::rpc::grid_result;
using tasuki::rpc::grid_thread;
using tasuki::rpc::GridError;
using tasuki::rpc::GridFunction;
using tasuki::rpc::reader_of;

/// Throws GridError or UnknownRoutine if the server does not answer or has no such routine.
GridFunction function_on(Grid& grid, const std::string& server, const std::string& name) {
  const ClientPool::Taken client = tasuki::rpc::client_of(grid, server, GRPC_SERVER_NOT_FOUND);
  const auto found = tasuki::rpc::find_routine(client->modules(), name);
  return {server, fmt::format("{}/{}", found.module.name, found.routine.name)};
}

std::int64_t add(Grid& grid, GridFunction function) {
  const std::lock_guard guard(grid.mutex);
  grid.functions.emplace(++grid.last_handle, std::move(function));
  return grid.last_handle;
}

GridFunction function_of(Grid& grid, const grpc_function_handle_t* handle) {
  check_not_null(handle, "handle", GRPC_INVALID_FUNCTION_HANDLE);
  const std::lock_guard guard(grid.mutex);
  const auto found = grid.functions.find(handle->number);
  if (found != grid.functions.end()) return found->second;
  throw GridError(GRPC_INVALID_FUNCTION_HANDLE, "use a handle",
                  "it was not made, or has been destructed",
                  "make it by grpc_function_handle_default or grpc_function_handle_init");
}

auto finder_of(const grpc_function_handle_t* handle) {
  return [handle](Grid& grid) { return function_of(grid, handle); };
}

std::span<const int> checked(const Grid& grid, const grpc_sessionid_t* sessions,
                             std::size_t length) {
  if (length > 0) check_not_null(sessions, "list of sessions");
  const std::span all(sessions, length);
  for (const int one : all) check_session(grid, one);
  return all;
}

/// What a wait returns when a session has ended.
grpc_error_t ended(const Grid& grid, int session) {
  return error_of_session(grid, session) == GRPC_NO_ERROR ? GRPC_NO_ERROR : GRPC_SESSION_FAILED;
}

grpc_error_t all_ended(const Grid& grid, const std::vector<int>& failed) {
  grid_thread().failed_sessions.assign(failed.begin(), failed.end());
  return failed.empty() ? GRPC_NO_ERROR : ended(grid, failed.front());
}

grpc_error_t one_ended(const Grid& grid, std::optional<int> session, grpc_sessionid_t* written) {
  grid_thread().failed_sessions.clear();
  *written = session.value_or(GRPC_SESSIONID_VOID);
  const grpc_error_t result = session ? ended(grid, *session) : GRPC_NO_ERROR;
  if (result != GRPC_NO_ERROR) grid_thread().failed_sessions.push_back(*session);
  return result;
}

constexpr std::array<const char*, GRPC_LAST_ERROR_CODE> error_names = {
    "GRPC_NO_ERROR",
    "GRPC_NOT_INITIALIZED",
    "GRPC_CONFIGFILE_NOT_FOUND",
    "GRPC_CONFIGFILE_ERROR",
    "GRPC_SERVER_NOT_FOUND",
    "GRPC_FUNCTION_NOT_FOUND",
    "GRPC_INVALID_FUNCTION_HANDLE",
    "GRPC_INVALID_SESSION_ID",
    "GRPC_RPC_REFUSED",
    "GRPC_COMMUNICATION_FAILED",
    "GRPC_SESSION_FAILED",
    "GRPC_NOT_COMPLETED",
    "GRPC_NONE_COMPLETED",
    "GRPC_OTHER_ERROR_CODE",
    "GRPC_UNKNOWN_ERROR_CODE",
    "GRPC_ALREADY_INITIALIZED",
};

}  // namespace

grpc_error_t grpc_initialize(const char* config_file) {
  const auto begin = [&] {
    tasuki::rpc::begin_grid(config_file);
    return GRPC_NO_ERROR;
  };
  return grid_result(begin, GRPC_CONFIGFILE_ERROR);
}

grpc_error_t grpc_finalize() {
  return grid_result([] {
    tasuki::rpc::end_grid();
    return GRPC_NO_ERROR;
  });
}

grpc_error_t grpc_function_handle_default(grpc_function_handle_t* handle, const char* function) {
  return grid_result([&] {
    const std::shared_ptr<Grid> grid = grid_or_throw();
    check_not_null(handle, "handle", GRPC_INVALID_FUNCTION_HANDLE);
    check_not_null(function, "name of the function", GRPC_FUNCTION_NOT_FOUND);
    handle->number = add(*grid, function_on(*grid, tasuki::rpc::usual_servers_of(*grid), function));
    return GRPC_NO_ERROR;
  });
}

grpc_error_t grpc_function_handle_init(grpc_function_handle_t* handle, const char* server,
                                       const char* function) {
  return grid_result([&] {
    const std::shared_ptr<Grid> grid = grid_or_throw();
    check_not_null(handle, "handle", GRPC_INVALID_FUNCTION_HANDLE);
    check_not_null(server, "name of the server", GRPC_SERVER_NOT_FOUND);
    check_not_null(function, "name of the function", GRPC_FUNCTION_NOT_FOUND);
    handle->number = add(*grid, function_on(*grid, server, function));
    return GRPC_NO_ERROR;
  });
}

grpc_error_t grpc_function_handle_destruct(grpc_function_handle_t* handle) {
  return grid_result([&] {
    const std::shared_ptr<Grid> grid = grid_or_throw();
    function_of(*grid, handle);
    const std::lock_guard guard(grid->mutex);
    grid->functions.erase(handle->number);
    return GRPC_NO_ERROR;
  });
}

grpc_error_t grpc_get_handle(grpc_function_handle_t** handle, grpc_sessionid_t session) {
  return grid_result([&] {
    const std::shared_ptr<Grid> grid = grid_or_throw();
    check_not_null(static_cast<const void*>(handle), "place for the handle");
    *handle = tasuki::rpc::handle_of_session<grpc_function_handle_t>(
        *grid, session, "handle of a function",
        "ask before; objects have grpc_object_handle_get_from_session_np");
    return GRPC_NO_ERROR;
  });
}

grpc_error_t grpc_call(grpc_function_handle_t* handle, ...) {
  std::va_list arguments;
  va_start(arguments, handle);
  const grpc_error_t result = call_now(finder_of(handle), [&](const tasuki::rpc::Routine& routine) {
    return tasuki::rpc::arguments_from(routine, arguments);
  });
  va_end(arguments);
  return result;
}

grpc_error_t grpc_call_async(grpc_function_handle_t* handle, grpc_sessionid_t* session, ...) {
  std::va_list arguments;
  va_start(arguments, session);
  const grpc_error_t result =
      begin_call(finder_of(handle), handle, session, [&](const tasuki::rpc::Routine& routine) {
        return tasuki::rpc::arguments_from(routine, arguments);
      });
  va_end(arguments);
  return result;
}

grpc_error_t grpc_call_argstack(grpc_function_handle_t* handle, grpc_arg_stack_t* stack) {
  return call_now(finder_of(handle), reader_of(stack));
}

grpc_error_t grpc_call_argstack_async(grpc_function_handle_t* handle, grpc_sessionid_t* session,
                                      grpc_arg_stack_t* stack) {
  return begin_call(finder_of(handle), handle, session, reader_of(stack));
}

int grpc_call_arg_stack(grpc_function_handle_t* handle, grpc_arg_stack_t* stack) {
  return grpc_call_argstack(handle, stack) == GRPC_NO_ERROR ? 0 : -1;
}

int grpc_call_arg_stack_async(grpc_function_handle_t* handle, grpc_arg_stack_t* stack) {
  grpc_sessionid_t session = GRPC_SESSIONID_VOID;
  grpc_call_argstack_async(handle, &session, stack);
  return session;
}

grpc_error_t grpc_wait(grpc_sessionid_t session) { return grpc_wait_and(&session, 1); }

grpc_error_t grpc_wait_and(const grpc_sessionid_t* sessions, std::size_t length) {
  return grid_result([&] {
    const std::shared_ptr<Grid> grid = grid_or_throw();
    return all_ended(*grid, grid->sessions.wait_for_all(checked(*grid, sessions, length)));
  });
}

grpc_error_t grpc_wait_or(const grpc_sessionid_t* sessions, std::size_t length,
                          grpc_sessionid_t* session) {
  return grid_result([&] {
    const std::shared_ptr<Grid> grid = grid_or_throw();
    check_not_null(session, "place for the session's number");
    const auto all = checked(*grid, sessions, length);
    return one_ended(*grid, grid->sessions.wait_for_one(all), session);
  });
}

grpc_error_t grpc_wait_all() {
  return grid_result([] {
    const std::shared_ptr<Grid> grid = grid_or_throw();
    return all_ended(*grid, grid->sessions.wait_for_all());
  });
}

grpc_error_t grpc_wait_any(grpc_sessionid_t* session) {
  return grid_result([&] {
    const std::shared_ptr<Grid> grid = grid_or_throw();
    check_not_null(session, "place for the session's number");
    return one_ended(*grid, grid->sessions.wait_for_one(), session);
  });
}

grpc_error_t grpc_probe(grpc_sessionid_t session) {
  return grid_result([&]() -> grpc_error_t {
    const std::shared_ptr<Grid> grid = grid_or_throw();
    check_session(*grid, session);
    return grid->sessions.has_ended(session) ? GRPC_NO_ERROR : GRPC_NOT_COMPLETED;
  });
}

grpc_error_t grpc_probe_or(const grpc_sessionid_t* sessions, std::size_t length,
                           grpc_sessionid_t* session) {
  return grid_result([&] {
    const std::shared_ptr<Grid> grid = grid_or_throw();
    check_not_null(session, "place for the session's number");
    const auto found = grid->sessions.ended_one(checked(*grid, sessions, length));
    *session = found.value_or(GRPC_SESSIONID_VOID);
    return found ? GRPC_NO_ERROR : GRPC_NONE_COMPLETED;
  });
}

grpc_error_t grpc_cancel(grpc_sessionid_t session) {
  return grid_result([&] {
    const std::shared_ptr<Grid> grid = grid_or_throw();
    check_session(*grid, session);
    grid->sessions.cancel(session);
    return GRPC_NO_ERROR;
  });
}

grpc_error_t grpc_cancel_all() {
  return grid_result([] {
    grid_or_throw()->sessions.cancel_all();
    return GRPC_NO_ERROR;
  });
}

grpc_error_t grpc_get_error(grpc_sessionid_t session) {
  return grid_result([&] {
    const std::shared_ptr<Grid> grid = grid_or_throw();
    check_session(*grid, session);
    return error_of_session(*grid, session);
  });
}

char* grpc_error_string(grpc_error_t error) {
  const bool is_known = error >= 0 && error < GRPC_LAST_ERROR_CODE;
  const int number = is_known ? error : static_cast<int>(GRPC_UNKNOWN_ERROR_CODE);
  return const_cast<char*>(error_names[static_cast<std::size_t>(number)]);
}

grpc_error_t grpc_get_failed_sessionid(grpc_sessionid_t* session) {
  return grid_result([&] {
    grid_or_throw();
    check_not_null(session, "place for the session's number");
    auto& failed = grid_thread().failed_sessions;
    *session = failed.empty() ? GRPC_SESSIONID_VOID : failed.front();
    if (!failed.empty()) failed.pop_front();
    return GRPC_NO_ERROR;
  });
}

grpc_error_t grpc_perror_np(const char* text) {
  std::fprintf(stderr, "%s: %s\n", text, tasuki::rpc::last_error().text.c_str());
  return GRPC_NO_ERROR;
}

grpc_error_t grpc_last_error_get_np() { return grid_thread().last; }
