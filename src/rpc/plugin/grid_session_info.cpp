#include <tasuki/grpc.h>

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <optional>

#include "rpc/plugin/grid.hpp"

namespace {

using tasuki::rpc::check_not_null;
using tasuki::rpc::Grid;
using tasuki::rpc::grid_or_throw;
using tasuki::rpc::grid_result;
using tasuki::rpc::GridError;
using tasuki::rpc::ReportInC;

timeval time_of(double seconds) {
  const double whole = std::floor(seconds);
  return {static_cast<time_t>(whole), static_cast<suseconds_t>((seconds - whole) * 1e6)};
}

/// Of the slowest rank.
double most(const tasuki_report& report, double tasuki_rank_report::*seconds) {
  double most = 0;
  for (std::size_t i = 0; i < report.ranks_count; ++i) {
    most = std::fmax(most, report.ranks[i].*seconds);
  }
  return most;
}

grpc_session_info_t_np info_of(const tasuki_report& report) {
  return {{time_of(most(report, &tasuki_rank_report::receive_s)),
           time_of(most(report, &tasuki_rank_report::compute_s)),
           time_of(most(report, &tasuki_rank_report::send_s))},
          {time_of(report.client_s)},
          report};
}

/// What grpc_session_info_release_np gets back, and what the information points into.
struct KeptInfo : grpc_session_info_t_np {
  explicit KeptInfo(const tasuki::rpc::CallReport& of) : grpc_session_info_t_np{}, report_in_c(of) {
    static_cast<grpc_session_info_t_np&>(*this) = info_of(report_in_c.get());
  }

  ReportInC report_in_c;
};

int status_of(const Grid& grid, int session) {
  if (!grid.sessions.has_ended(session)) return GRPC_SESSION_EXECUTING;
  return grid.sessions.failure_of(session) == nullptr ? GRPC_SESSION_DONE : GRPC_SESSION_DOWN;
}

tasuki::rpc::CallReport report_of(const Grid& grid, int session) {
  if (auto report = grid.reports.of(session)) return *std::move(report);
  throw GridError(GRPC_INVALID_SESSION_ID, "get a session's information",
                  fmt::format("there is none of session {}: it has not ended well, or too many "
                              "have ended since",
                              session),
                  "ask when grpc_wait has returned GRPC_NO_ERROR");
}

}  // namespace

grpc_error_t grpc_session_info_get_np(grpc_sessionid_t session, grpc_session_info_t_np** info,
                                      int* status) {
  if (status != nullptr) *status = GRPC_SESSION_UNKNOWN_STATUS;
  return grid_result([&] {
    const std::shared_ptr<Grid> grid = grid_or_throw();
    tasuki::rpc::check_session(*grid, session);
    if (status != nullptr) *status = status_of(*grid, session);
    if (info != nullptr) *info = std::make_unique<KeptInfo>(report_of(*grid, session)).release();
    return GRPC_NO_ERROR;
  });
}

grpc_error_t grpc_session_info_release_np(grpc_session_info_t_np* info) {
  delete static_cast<KeptInfo*>(info);
  return GRPC_NO_ERROR;
}

grpc_error_t grpc_get_last_info_np(grpc_session_info_t_np* info, int* status) {
  if (status != nullptr) *status = GRPC_SESSION_UNKNOWN_STATUS;
  return grid_result([&] {
    grid_or_throw();
    check_not_null(info, "place for the information");
    const auto& last = tasuki::rpc::grid_thread().last_report;
    if (!last) {
      throw GridError(GRPC_INVALID_SESSION_ID, "get the last call's information",
                      "no call of this thread has ended well", "ask after grpc_call");
    }
    *info = info_of(last->get());
    if (status != nullptr) *status = GRPC_SESSION_DONE;
    return GRPC_NO_ERROR;
  });
}
