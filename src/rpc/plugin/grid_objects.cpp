#include <tasuki/grpc.h>

#include <fmt/format.h>

#include <cstdarg>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "rpc/plugin/grid.hpp"
#include "rpc/plugin/grid_call.hpp"
#include "rpc/sessions/routine_name.hpp"
#include "rpc/sessions/server_address.hpp"
#include "rpc/sessions/variable_arguments.hpp"

namespace {

using tasuki::rpc::check_not_null;
using tasuki::rpc::ClientPool;
using tasuki::rpc::Grid;
using tasuki::rpc::grid_or_throw;
using tasuki::rpc::grid_result;
using tasuki::rpc::GridError;
using tasuki::rpc::GridFunction;
using tasuki::rpc::GridObject;

/// Its client is kept for as long as the object, which ends with it. Throws GridError or
/// UnknownRoutine.
GridObject object_on(Grid& grid, const std::string& server, const std::string& class_name) {
  ClientPool::Taken maker = tasuki::rpc::client_of(grid, server, GRPC_SERVER_NOT_FOUND);
  const auto found = tasuki::rpc::find_class(maker->modules(), class_name);
  const std::string id = maker->make(found.module.name, found.remote_class.name);
  const std::string url = tasuki::rpc::url_of(maker->server());
  return {std::move(maker), url, {found.module.name, found.remote_class.name, id}};
}

std::int64_t add(Grid& grid, GridObject object) {
  const std::lock_guard guard(grid.mutex);
  grid.objects.emplace(++grid.last_handle, std::move(object));
  return grid.last_handle;
}

/// Requires: the grid's mutex is held.
auto find(Grid& grid, const grpc_object_handle_t_np* handle) {
  check_not_null(handle, "handle", GRPC_INVALID_FUNCTION_HANDLE);
  const auto found = grid.objects.find(handle->number);
  if (found != grid.objects.end()) return found;
  throw GridError(GRPC_INVALID_FUNCTION_HANDLE, "use an object",
                  "its handle was not made, or has been destructed",
                  "make it by grpc_object_handle_default_np or grpc_object_handle_init_np");
}

/// Finds a method.
auto finder_of(const grpc_object_handle_t_np* handle, const char* method) {
  return [handle, method](Grid& grid) -> GridFunction {
    check_not_null(method, "name of the method", GRPC_FUNCTION_NOT_FOUND);
    const std::lock_guard guard(grid.mutex);
    const GridObject& object = find(grid, handle)->second;
    return {object.server, fmt::format("{}/{}", object.name.module, object.name.method(method)),
            object.name.id};
  };
}

}  // namespace

grpc_error_t grpc_object_handle_default_np(grpc_object_handle_t_np* handle,
                                           const char* class_name) {
  const auto make = [&] {
    const std::shared_ptr<Grid> grid = grid_or_throw();
    check_not_null(handle, "handle", GRPC_INVALID_FUNCTION_HANDLE);
    check_not_null(class_name, "name of the class", GRPC_FUNCTION_NOT_FOUND);
    handle->number = add(*grid, object_on(*grid, tasuki::rpc::usual_servers_of(*grid), class_name));
    return GRPC_NO_ERROR;
  };
  return grid_result(make, GRPC_SESSION_FAILED);
}

grpc_error_t grpc_object_handle_init_np(grpc_object_handle_t_np* handle, const char* server,
                                        const char* class_name) {
  const auto make = [&] {
    const std::shared_ptr<Grid> grid = grid_or_throw();
    check_not_null(handle, "handle", GRPC_INVALID_FUNCTION_HANDLE);
    check_not_null(server, "name of the server", GRPC_SERVER_NOT_FOUND);
    check_not_null(class_name, "name of the class", GRPC_FUNCTION_NOT_FOUND);
    handle->number = add(*grid, object_on(*grid, server, class_name));
    return GRPC_NO_ERROR;
  };
  return grid_result(make, GRPC_SESSION_FAILED);
}

grpc_error_t grpc_object_handle_destruct_np(grpc_object_handle_t_np* handle) {
  const auto end = [&] {
    const std::shared_ptr<Grid> grid = grid_or_throw();
    std::unique_lock lock(grid->mutex);
    const auto node = grid->objects.extract(find(*grid, handle));
    lock.unlock();
    const GridObject& object = node.mapped();
    object.maker->free(object.name.module, object.name.id);
    return GRPC_NO_ERROR;
  };
  return grid_result(end, GRPC_SESSION_FAILED);
}

grpc_error_t grpc_object_handle_get_from_session_np(grpc_object_handle_t_np** handle,
                                                    grpc_sessionid_t session) {
  return grid_result([&] {
    const std::shared_ptr<Grid> grid = grid_or_throw();
    check_not_null(static_cast<const void*>(handle), "place for the handle");
    *handle = tasuki::rpc::handle_of_session<grpc_object_handle_t_np>(
        *grid, session, "object", "ask before; functions have grpc_get_handle");
    return GRPC_NO_ERROR;
  });
}

grpc_error_t grpc_invoke_np(grpc_object_handle_t_np* handle, const char* method, ...) {
  std::va_list arguments;
  va_start(arguments, method);
  const grpc_error_t result =
      tasuki::rpc::call_now(finder_of(handle, method), [&](const tasuki::rpc::Routine& routine) {
        return tasuki::rpc::arguments_from(routine, arguments);
      });
  va_end(arguments);
  return result;
}

grpc_error_t grpc_invoke_async_np(grpc_object_handle_t_np* handle, const char* method,
                                  grpc_sessionid_t* session, ...) {
  std::va_list arguments;
  va_start(arguments, session);
  const grpc_error_t result = tasuki::rpc::begin_call(
      finder_of(handle, method), handle, session, [&](const tasuki::rpc::Routine& routine) {
        return tasuki::rpc::arguments_from(routine, arguments);
      });
  va_end(arguments);
  return result;
}

int grpc_invoke_arg_stack_np(grpc_object_handle_t_np* handle, const char* method,
                             grpc_arg_stack_t* stack) {
  const grpc_error_t error =
      tasuki::rpc::call_now(finder_of(handle, method), tasuki::rpc::reader_of(stack));
  return error == GRPC_NO_ERROR ? 0 : -1;
}

int grpc_invoke_arg_stack_async_np(grpc_object_handle_t_np* handle, const char* method,
                                   grpc_arg_stack_t* stack) {
  grpc_sessionid_t session = GRPC_SESSIONID_VOID;
  tasuki::rpc::begin_call(finder_of(handle, method), handle, &session,
                          tasuki::rpc::reader_of(stack));
  return session;
}
