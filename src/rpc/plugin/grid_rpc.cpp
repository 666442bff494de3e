#include <tasuki/grpc.h>

#include <fmt/format.h>

#include <array>
#include <cstdarg>
#include <cstdio>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <tasuki/error.hpp>
#include <utility>

#include "rpc/plugin/last_error.hpp"
#include "rpc/sessions/client_pool.hpp"
#include "rpc/sessions/grid_config.hpp"
#include "rpc/sessions/routine_call.hpp"
#include "rpc/sessions/session_table.hpp"
#include "rpc/sessions/variable_arguments.hpp"
#include "rpc/wire/named_error.hpp"

namespace {

using tasuki::rpc::ClientPool;
using tasuki::rpc::GridConfig;
using tasuki::rpc::RoutineCall;
using tasuki::rpc::SessionTable;

/// An error whose number is known where it happens.
class GridError : public tasuki::error {
 public:
  GridError(grpc_error_t number, const std::string& operation, const std::string& happened,
            const std::string& remedy)
      : error(operation, happened, remedy), number_(number) {}
  GridError(grpc_error_t number, const tasuki::error& fault)
      : GridError(number, fault.operation(), fault.happened(), fault.remedy()) {}

  grpc_error_t number() const noexcept { return number_; }

 private:
  grpc_error_t number_;
};

/// What a handle stands for.
struct Function {
  std::string server;
  std::string routine;
};

/// From grpc_initialize to grpc_finalize.
struct Grid {
  explicit Grid(GridConfig read) : config(std::move(read)), clients(config.options) {}

  GridConfig config;
  ClientPool clients;
  std::mutex mutex;
  std::map<std::int64_t, Function> functions;  ///< By the numbers of handles. By the mutex.
  std::int64_t last_handle = 0;                ///< By the mutex.
  SessionTable sessions;                       ///< Ends before the clients do.
};

/// Nothing before grpc_initialize. Never destroyed: sessions may go on when the program ends.
struct Current {
  std::mutex mutex;
  std::shared_ptr<Grid> grid;
};

Current& current() {
  static auto* const one = new Current;
  return *one;
}

struct OfThread {
  grpc_error_t last = GRPC_NO_ERROR;
  std::deque<int> failed_sessions = {};  ///< Of the last wait, those not told yet.
};

OfThread& of_thread() {
  thread_local OfThread one;
  return one;
}

/// Of the exception that is being handled, which is kept as the thread's last error.
grpc_error_t number_of_current_error(grpc_error_t usual) {
  tasuki::rpc::keep_current_error();
  try {
    throw;
  } catch (const GridError& fault) {
    return fault.number();
  } catch (const tasuki::rpc::UnknownRoutine&) {
    return GRPC_FUNCTION_NOT_FOUND;
  } catch (const tasuki::rpc::NoGridConfig&) {
    return GRPC_CONFIGFILE_NOT_FOUND;
  } catch (const tasuki::rpc::ConnectionLost&) {
    return GRPC_COMMUNICATION_FAILED;
  } catch (...) {
    return usual;
  }
}

std::shared_ptr<Grid> grid_or_throw() {
  const std::lock_guard guard(current().mutex);
  if (current().grid != nullptr) return current().grid;
  throw GridError(GRPC_NOT_INITIALIZED, "use GridRPC", "it is not initialized",
                  "call grpc_initialize before");
}

/// What `work` returns; the error's number, and keeps the error, if it throws.
template <class Work>
grpc_error_t or_error(Work work, grpc_error_t usual = GRPC_OTHER_ERROR_CODE) {
  try {
    of_thread().last = work();
  } catch (...) {
    of_thread().last = number_of_current_error(usual);
  }
  return of_thread().last;
}

void check_not_null(const void* pointer, const char* name,
                    grpc_error_t number = GRPC_OTHER_ERROR_CODE) {
  if (pointer != nullptr) return;
  throw GridError(number, "use GridRPC", fmt::format("the {} is NULL", name), "give one");
}

// ---- handles -----------------------------------------------------------------------------------

/// Throws GridError: `unreachable` if the server does not answer.
ClientPool::Taken client_of(Grid& grid, const std::string& server, grpc_error_t unreachable) {
  try {
    return grid.clients.take(server);
  } catch (const tasuki::rpc::NamedError& fault) {
    throw GridError(fault.kind() == tasuki::rpc::access_kind ? GRPC_RPC_REFUSED : unreachable,
                    fault);
  } catch (const tasuki::error& fault) {
    throw GridError(unreachable, fault);
  }
}

/// Throws GridError or UnknownRoutine if the server does not answer or has no such routine.
Function function_on(Grid& grid, const std::string& server, const std::string& name) {
  const ClientPool::Taken client = client_of(grid, server, GRPC_SERVER_NOT_FOUND);
  const auto found = tasuki::rpc::find_routine(client->modules(), name);
  return {server, fmt::format("{}/{}", found.module.name, found.routine.name)};
}

/// On the first of the default servers that answers, and on the others when that serves no more.
Function usual_function(Grid& grid, const std::string& name) {
  if (!grid.config.servers.empty()) return function_on(grid, grid.config.servers, name);
  throw GridError(GRPC_SERVER_NOT_FOUND, "find a server", "none is named",
                  "write one into the configuration file, or into TASUKI_SERVER");
}

std::int64_t add(Grid& grid, Function function) {
  const std::lock_guard guard(grid.mutex);
  grid.functions.emplace(++grid.last_handle, std::move(function));
  return grid.last_handle;
}

Function function_of(Grid& grid, const grpc_function_handle_t* handle) {
  check_not_null(handle, "handle", GRPC_INVALID_FUNCTION_HANDLE);
  const std::lock_guard guard(grid.mutex);
  const auto found = grid.functions.find(handle->number);
  if (found != grid.functions.end()) return found->second;
  throw GridError(GRPC_INVALID_FUNCTION_HANDLE, "use a handle",
                  "it was not made, or has been destructed",
                  "make it by grpc_function_handle_default or grpc_function_handle_init");
}

// ---- calls -------------------------------------------------------------------------------------

/// `read` returns the arguments of a routine.
template <class Read>
RoutineCall prepare(Grid& grid, const grpc_function_handle_t* handle, Read read) {
  const Function function = function_of(grid, handle);
  ClientPool::Taken client = client_of(grid, function.server, GRPC_COMMUNICATION_FAILED);
  const auto found = tasuki::rpc::find_routine(client->modules(), function.routine);
  try {
    tasuki::rpc::CallArguments arguments = read(found.routine);
    return {std::move(client), found, std::move(arguments)};
  } catch (const tasuki::error& fault) {
    throw GridError(GRPC_OTHER_ERROR_CODE, fault);
  }
}

template <class Read>
grpc_error_t call_now(const grpc_function_handle_t* handle, Read read) {
  const auto call = [&] {
    const std::shared_ptr<Grid> grid = grid_or_throw();
    prepare(*grid, handle, read)();
    return GRPC_NO_ERROR;
  };
  return or_error(call, GRPC_SESSION_FAILED);
}

template <class Read>
grpc_error_t begin_call(grpc_function_handle_t* handle, grpc_sessionid_t* session, Read read) {
  return or_error([&] {
    check_not_null(session, "place for the session's number");
    const std::shared_ptr<Grid> grid = grid_or_throw();
    RoutineCall call = prepare(*grid, handle, read);
    *session = grid->sessions.begin(RoutineCall::in_session(std::move(call)), handle);
    return GRPC_NO_ERROR;
  });
}

/// Reads the arguments of a stack.
auto reader_of(const grpc_arg_stack_t* stack) {
  return [stack](const tasuki::rpc::Routine& routine) {
    check_not_null(stack, "stack");
    const std::span<void* const> arguments(stack->arguments, stack->arguments_count);
    return tasuki::rpc::arguments_from(routine, arguments);
  };
}

// ---- sessions ----------------------------------------------------------------------------------

void check(const Grid& grid, int session) {
  if (grid.sessions.has(session)) return;
  throw GridError(GRPC_INVALID_SESSION_ID, "use a session",
                  fmt::format("there is no session {}", session),
                  "give a number that grpc_call_async has written");
}

std::span<const int> checked(const Grid& grid, const grpc_sessionid_t* sessions,
                             std::size_t length) {
  if (length > 0) check_not_null(sessions, "list of sessions");
  const std::span all(sessions, length);
  for (const int one : all) check(grid, one);
  return all;
}

/// Of a session that has ended, whose error becomes the thread's last one.
grpc_error_t error_of(const Grid& grid, int session) {
  try {
    if (const auto failure = grid.sessions.failure_of(session)) std::rethrow_exception(failure);
  } catch (...) {
    return number_of_current_error(GRPC_SESSION_FAILED);
  }
  return GRPC_NO_ERROR;
}

/// What a wait returns when a session has ended.
grpc_error_t ended(const Grid& grid, int session) {
  return error_of(grid, session) == GRPC_NO_ERROR ? GRPC_NO_ERROR : GRPC_SESSION_FAILED;
}

grpc_error_t all_ended(const Grid& grid, const std::vector<int>& failed) {
  of_thread().failed_sessions.assign(failed.begin(), failed.end());
  return failed.empty() ? GRPC_NO_ERROR : ended(grid, failed.front());
}

grpc_error_t one_ended(const Grid& grid, std::optional<int> session, grpc_sessionid_t* written) {
  of_thread().failed_sessions.clear();
  *written = session.value_or(GRPC_SESSIONID_VOID);
  const grpc_error_t result = session ? ended(grid, *session) : GRPC_NO_ERROR;
  if (result != GRPC_NO_ERROR) of_thread().failed_sessions.push_back(*session);
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
    const std::lock_guard guard(current().mutex);
    if (current().grid != nullptr) {
      throw GridError(GRPC_ALREADY_INITIALIZED, "initialize GridRPC", "it was initialized before",
                      "call grpc_finalize in between");
    }
    GridConfig config;
    if (config_file != nullptr) config = tasuki::rpc::read_grid_config(config_file);
    if (config.servers.empty()) config.servers = tasuki::rpc::usual_grid_config().servers;
    current().grid = std::make_shared<Grid>(std::move(config));
    return GRPC_NO_ERROR;
  };
  return or_error(begin, GRPC_CONFIGFILE_ERROR);
}

grpc_error_t grpc_finalize() {
  return or_error([] {
    std::shared_ptr<Grid> ended = grid_or_throw();
    const std::lock_guard guard(current().mutex);
    current().grid.reset();
    return GRPC_NO_ERROR;
  });
}

grpc_error_t grpc_function_handle_default(grpc_function_handle_t* handle, const char* function) {
  return or_error([&] {
    const std::shared_ptr<Grid> grid = grid_or_throw();
    check_not_null(handle, "handle", GRPC_INVALID_FUNCTION_HANDLE);
    check_not_null(function, "name of the function", GRPC_FUNCTION_NOT_FOUND);
    handle->number = add(*grid, usual_function(*grid, function));
    return GRPC_NO_ERROR;
  });
}

grpc_error_t grpc_function_handle_init(grpc_function_handle_t* handle, const char* server,
                                       const char* function) {
  return or_error([&] {
    const std::shared_ptr<Grid> grid = grid_or_throw();
    check_not_null(handle, "handle", GRPC_INVALID_FUNCTION_HANDLE);
    check_not_null(server, "name of the server", GRPC_SERVER_NOT_FOUND);
    check_not_null(function, "name of the function", GRPC_FUNCTION_NOT_FOUND);
    handle->number = add(*grid, function_on(*grid, server, function));
    return GRPC_NO_ERROR;
  });
}

grpc_error_t grpc_function_handle_destruct(grpc_function_handle_t* handle) {
  return or_error([&] {
    const std::shared_ptr<Grid> grid = grid_or_throw();
    function_of(*grid, handle);
    const std::lock_guard guard(grid->mutex);
    grid->functions.erase(handle->number);
    return GRPC_NO_ERROR;
  });
}

grpc_error_t grpc_get_handle(grpc_function_handle_t** handle, grpc_sessionid_t session) {
  return or_error([&] {
    const std::shared_ptr<Grid> grid = grid_or_throw();
    check_not_null(static_cast<const void*>(handle), "place for the handle");
    check(*grid, session);
    auto* const owner = static_cast<grpc_function_handle_t*>(grid->sessions.owner_of(session));
    if (owner == nullptr) {
      throw GridError(GRPC_INVALID_SESSION_ID, "use a session",
                      fmt::format("session {} has ended and was waited for", session),
                      "ask before");
    }
    *handle = owner;
    return GRPC_NO_ERROR;
  });
}

grpc_error_t grpc_call(grpc_function_handle_t* handle, ...) {
  std::va_list arguments;
  va_start(arguments, handle);
  const grpc_error_t result = call_now(handle, [&](const tasuki::rpc::Routine& routine) {
    return tasuki::rpc::arguments_from(routine, arguments);
  });
  va_end(arguments);
  return result;
}

grpc_error_t grpc_call_async(grpc_function_handle_t* handle, grpc_sessionid_t* session, ...) {
  std::va_list arguments;
  va_start(arguments, session);
  const grpc_error_t result = begin_call(handle, session, [&](const tasuki::rpc::Routine& routine) {
    return tasuki::rpc::arguments_from(routine, arguments);
  });
  va_end(arguments);
  return result;
}

grpc_error_t grpc_call_argstack(grpc_function_handle_t* handle, grpc_arg_stack_t* stack) {
  return call_now(handle, reader_of(stack));
}

grpc_error_t grpc_call_argstack_async(grpc_function_handle_t* handle, grpc_sessionid_t* session,
                                      grpc_arg_stack_t* stack) {
  return begin_call(handle, session, reader_of(stack));
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
  return or_error([&] {
    const std::shared_ptr<Grid> grid = grid_or_throw();
    return all_ended(*grid, grid->sessions.wait_for_all(checked(*grid, sessions, length)));
  });
}

grpc_error_t grpc_wait_or(const grpc_sessionid_t* sessions, std::size_t length,
                          grpc_sessionid_t* session) {
  return or_error([&] {
    const std::shared_ptr<Grid> grid = grid_or_throw();
    check_not_null(session, "place for the session's number");
    const auto all = checked(*grid, sessions, length);
    return one_ended(*grid, grid->sessions.wait_for_one(all), session);
  });
}

grpc_error_t grpc_wait_all() {
  return or_error([] {
    const std::shared_ptr<Grid> grid = grid_or_throw();
    return all_ended(*grid, grid->sessions.wait_for_all());
  });
}

grpc_error_t grpc_wait_any(grpc_sessionid_t* session) {
  return or_error([&] {
    const std::shared_ptr<Grid> grid = grid_or_throw();
    check_not_null(session, "place for the session's number");
    return one_ended(*grid, grid->sessions.wait_for_one(), session);
  });
}

grpc_error_t grpc_probe(grpc_sessionid_t session) {
  return or_error([&]() -> grpc_error_t {
    const std::shared_ptr<Grid> grid = grid_or_throw();
    check(*grid, session);
    return grid->sessions.has_ended(session) ? GRPC_NO_ERROR : GRPC_NOT_COMPLETED;
  });
}

grpc_error_t grpc_probe_or(const grpc_sessionid_t* sessions, std::size_t length,
                           grpc_sessionid_t* session) {
  return or_error([&] {
    const std::shared_ptr<Grid> grid = grid_or_throw();
    check_not_null(session, "place for the session's number");
    const auto found = grid->sessions.ended_one(checked(*grid, sessions, length));
    *session = found.value_or(GRPC_SESSIONID_VOID);
    return found ? GRPC_NO_ERROR : GRPC_NONE_COMPLETED;
  });
}

grpc_error_t grpc_cancel(grpc_sessionid_t session) {
  return or_error([&] {
    const std::shared_ptr<Grid> grid = grid_or_throw();
    check(*grid, session);
    grid->sessions.cancel(session);
    return GRPC_NO_ERROR;
  });
}

grpc_error_t grpc_cancel_all() {
  return or_error([] {
    grid_or_throw()->sessions.cancel_all();
    return GRPC_NO_ERROR;
  });
}

grpc_error_t grpc_get_error(grpc_sessionid_t session) {
  return or_error([&] {
    const std::shared_ptr<Grid> grid = grid_or_throw();
    check(*grid, session);
    return error_of(*grid, session);
  });
}

char* grpc_error_string(grpc_error_t error) {
  const bool is_known = error >= 0 && error < GRPC_LAST_ERROR_CODE;
  const int number = is_known ? error : static_cast<int>(GRPC_UNKNOWN_ERROR_CODE);
  return const_cast<char*>(error_names[static_cast<std::size_t>(number)]);
}

grpc_error_t grpc_get_failed_sessionid(grpc_sessionid_t* session) {
  return or_error([&] {
    grid_or_throw();
    check_not_null(session, "place for the session's number");
    auto& failed = of_thread().failed_sessions;
    *session = failed.empty() ? GRPC_SESSIONID_VOID : failed.front();
    if (!failed.empty()) failed.pop_front();
    return GRPC_NO_ERROR;
  });
}

grpc_error_t grpc_perror_np(const char* text) {
  std::fprintf(stderr, "%s: %s\n", text, tasuki::rpc::last_error().text.c_str());
  return GRPC_NO_ERROR;
}

grpc_error_t grpc_last_error_get_np() { return of_thread().last; }
