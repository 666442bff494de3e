// What GridRPC knows from grpc_initialize to grpc_finalize, and how its functions tell errors.
//
// Used by the functions of tasuki/grpc.h. Thread-safety: any thread; each has its own GridThread.
#pragma once

#include <tasuki/grpc.h>

#include <any>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tasuki/error.hpp>

#include "rpc/plugin/report_in_c.hpp"
#include "rpc/sessions/client_pool.hpp"
#include "rpc/sessions/grid_config.hpp"
#include "rpc/sessions/object_name.hpp"
#include "rpc/sessions/session_reports.hpp"
#include "rpc/sessions/session_table.hpp"

namespace tasuki::rpc {

/// An error whose number is known where it happens.
class GridError : public error {
 public:
  GridError(grpc_error_t number, const std::string& operation, const std::string& happened,
            const std::string& remedy)
      : error(operation, happened, remedy), number_(number) {}
  GridError(grpc_error_t number, const error& fault)
      : GridError(number, fault.operation(), fault.happened(), fault.remedy()) {}

  grpc_error_t number() const noexcept { return number_; }

 private:
  grpc_error_t number_;
};

/// What a handle of a function stands for.
struct GridFunction {
  std::string server;
  std::string routine;
  std::string object = {};  ///< By what the ranks know the one whose method it is.
};

/// What a handle of an object stands for.
struct GridObject {
  ClientPool::Taken maker;  ///< The object ends with this client, which makes no calls.
  std::string server;       ///< The one of several where it is.
  ObjectName name;
};

/// From grpc_initialize to grpc_finalize.
struct Grid {
  explicit Grid(GridConfig read) : config(std::move(read)), clients(config.options) {}

  GridConfig config;
  ClientPool clients;
  std::mutex mutex = {};
  std::map<std::int64_t, GridFunction> functions = {};  ///< By numbers of handles. By the mutex.
  std::map<std::int64_t, GridObject> objects = {};      ///< The same.
  std::int64_t last_handle = 0;                         ///< By the mutex.
  SessionReports reports = {};
  SessionTable sessions = {};  ///< Ends before all that its calls use.
};

/// Begins. Throws GridError if it has begun.
void begin_grid(const char* config_file);
/// Throws GridError if it has not begun.
std::shared_ptr<Grid> grid_or_throw();
/// Returns: what has ended, to be destroyed when nobody uses it any more.
std::shared_ptr<Grid> end_grid();

/// What the calls of one thread have left for it to ask.
struct GridThread {
  grpc_error_t last = GRPC_NO_ERROR;
  std::deque<int> failed_sessions = {};       ///< Of the last wait, those not told yet.
  std::optional<ReportInC> last_report = {};  ///< Of its last call without a session.
};

GridThread& grid_thread();

/// Of the exception that is being handled, which is kept as the thread's last error.
grpc_error_t number_of_current_error(grpc_error_t usual);

/// What `work` returns; the error's number, and keeps the error, if it throws.
template <class Work>
grpc_error_t grid_result(Work work, grpc_error_t usual = GRPC_OTHER_ERROR_CODE) {
  try {
    grid_thread().last = work();
  } catch (...) {
    grid_thread().last = number_of_current_error(usual);
  }
  return grid_thread().last;
}

void check_not_null(const void* pointer, const char* name,
                    grpc_error_t number = GRPC_OTHER_ERROR_CODE);
/// Throws GridError if there has been no such session.
void check_session(const Grid& grid, int session);
/// Throws GridError: none of what `owner` says has begun the session.
[[noreturn]] void refuse_session(int session, const char* owner, const char* remedy);
/// The handle by which the session was begun. Throws GridError, with the words of refuse_session,
/// if it was begun by none of this type, or has ended and was waited for.
template <class Handle>
Handle* handle_of_session(const Grid& grid, int session, const char* owner, const char* remedy) {
  check_session(grid, session);
  const std::any found = grid.sessions.owner_of(session);
  if (auto* const* const handle = std::any_cast<Handle*>(&found)) return *handle;
  refuse_session(session, owner, remedy);
}
/// The error of a session that has ended, which becomes the thread's last one.
grpc_error_t error_of_session(const Grid& grid, int session);

/// Throws GridError: `unreachable` if the server does not answer.
ClientPool::Taken client_of(Grid& grid, const std::string& server, grpc_error_t unreachable);
/// Those of default handles: the first that answers, and the others when that serves no more.
/// Throws GridError if none is named.
const std::string& usual_servers_of(const Grid& grid);

}  // namespace tasuki::rpc
