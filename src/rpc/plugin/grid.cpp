#include "rpc/plugin/grid.hpp"

#include <fmt/format.h>

#include <utility>

#include "rpc/plugin/last_error.hpp"
#include "rpc/sessions/routine_call.hpp"
#include "rpc/sessions/routine_name.hpp"
#include "rpc/wire/named_error.hpp"

namespace tasuki::rpc {
namespace {

/// Nothing before grpc_initialize. Never destroyed: sessions may go on when the program ends.
struct Current {
  std::mutex mutex;
  std::shared_ptr<Grid> grid;
};

Current& current() {
  static auto* const one = new Current;
  return *one;
}

}  // namespace

void begin_grid(const char* config_file) {
  const std::lock_guard guard(current().mutex);
  if (current().grid != nullptr) {
    throw GridError(GRPC_ALREADY_INITIALIZED, "initialize GridRPC", "it was initialized before",
                    "call grpc_finalize in between");
  }
  GridConfig config;
  if (config_file != nullptr) config = read_grid_config(config_file);
  if (config.servers.empty()) config.servers = usual_grid_config().servers;
  current().grid = std::make_shared<Grid>(std::move(config));
}

std::shared_ptr<Grid> grid_or_throw() {
  const std::lock_guard guard(current().mutex);
  if (current().grid != nullptr) return current().grid;
  throw GridError(GRPC_NOT_INITIALIZED, "use GridRPC", "it is not initialized",
                  "call grpc_initialize before");
}

std::shared_ptr<Grid> end_grid() {
  std::shared_ptr<Grid> ended = grid_or_throw();
  const std::lock_guard guard(current().mutex);
  current().grid.reset();
  return ended;
}

GridThread& grid_thread() {
  thread_local GridThread one;
  return one;
}

grpc_error_t number_of_current_error(grpc_error_t usual) {
  keep_current_error();
  try {
    throw;
  } catch (const GridError& fault) {
    return fault.number();
  } catch (const UnknownRoutine&) {
    return GRPC_FUNCTION_NOT_FOUND;
  } catch (const NoGridConfig&) {
    return GRPC_CONFIGFILE_NOT_FOUND;
  } catch (const ConnectionLost&) {
    return GRPC_COMMUNICATION_FAILED;
  } catch (...) {
    return usual;
  }
}

void check_not_null(const void* pointer, const char* name, grpc_error_t number) {
  if (pointer != nullptr) return;
  throw GridError(number, "use GridRPC", fmt::format("the {} is NULL", name), "give one");
}

void check_session(const Grid& grid, int session) {
  if (grid.sessions.has(session)) return;
  throw GridError(GRPC_INVALID_SESSION_ID, "use a session",
                  fmt::format("there is no session {}", session),
                  "give a number that grpc_call_async has written");
}

void refuse_session(int session, const char* owner, const char* remedy) {
  throw GridError(
      GRPC_INVALID_SESSION_ID, "use a session",
      fmt::format("no {} has begun session {}, or it has ended and was waited for", owner, session),
      remedy);
}

grpc_error_t error_of_session(const Grid& grid, int session) {
  try {
    if (const auto failure = grid.sessions.failure_of(session)) std::rethrow_exception(failure);
  } catch (...) {
    return number_of_current_error(GRPC_SESSION_FAILED);
  }
  return GRPC_NO_ERROR;
}

ClientPool::Taken client_of(Grid& grid, const std::string& server, grpc_error_t unreachable) {
  try {
    return grid.clients.take(server);
  } catch (const NamedError& fault) {
    throw GridError(fault.kind() == access_kind ? GRPC_RPC_REFUSED : unreachable, fault);
  } catch (const tasuki::error& fault) {
    throw GridError(unreachable, fault);
  }
}

const std::string& usual_servers_of(const Grid& grid) {
  if (!grid.config.servers.empty()) return grid.config.servers;
  throw GridError(GRPC_SERVER_NOT_FOUND, "find a server", "none is named",
                  "write one into the configuration file, or into TASUKI_SERVER");
}

}  // namespace tasuki::rpc
