#include "rpc/sessions/session_reports.hpp"

#include <utility>

namespace tasuki::rpc {

void SessionReports::add(int session, CallReport report) {
  const std::lock_guard guard(mutex_);
  reports_.insert_or_assign(session, std::move(report));
  if (reports_.size() > most_count) reports_.erase(reports_.begin());
}

std::optional<CallReport> SessionReports::of(int session) const {
  const std::lock_guard guard(mutex_);
  const auto found = reports_.find(session);
  if (found == reports_.end()) return {};
  return found->second;
}

}  // namespace tasuki::rpc
