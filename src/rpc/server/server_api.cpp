#include "rpc/server/server_api.hpp"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>
#include <vector>

namespace tasuki::rpc {
namespace {

using nlohmann::json;

/// In examples; the server's address goes there (python/tasuki/rpc/page_routines.py).
constexpr std::string_view url_place = "{url}";

double now_s() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

std::string fill_in(std::string text, const std::string& url) {
  for (std::size_t at = text.find(url_place); at != std::string::npos;
       at = text.find(url_place, at + url.size())) {
    text.replace(at, url_place.size(), url);
  }
  return text;
}

json to_json(const std::vector<CallRecord>& records) {
  json all = json::array();
  for (const CallRecord& one : records) all.push_back(rpc::to_json(one));
  return all;
}

/// What the rank does in those calls.
std::string_view activity_of(std::size_t rank, const std::vector<CallRecord>& calls) {
  for (const CallRecord& one : calls) {
    if (rank >= one.ranks.size()) continue;
    const CallState state = one.ranks[rank].state;
    if (one.state != CallState::queued && !is_over(state)) return name_of(state);
  }
  return "idle";
}

}  // namespace

json ServerApi::status(const User& user) const {
  const std::chrono::duration<double> uptime = std::chrono::steady_clock::now() - view_.begin;
  CallTotals sum;
  for (const auto& [routine, totals] : view_.calls.totals()) {
    for (std::size_t i = 0; i < sum.calls_counts.size(); ++i) {
      sum.calls_counts[i] += totals.calls_counts[i];
    }
    sum.received_bytes += totals.received_bytes;
    sum.sent_bytes += totals.sent_bytes;
  }
  const std::vector<CallRecord> current = view_.calls.current();
  for (const CallRecord& one : current) {
    sum.received_bytes += one.received_bytes();
    sum.sent_bytes += one.sent_bytes();
  }
  const auto queued = std::ranges::count(current, CallState::queued, &CallRecord::state);
  return {{"version", view_.version},
          {"state", view_.is_draining ? "draining" : "serving"},
          {"now", now_s()},
          {"uptime_seconds", uptime.count()},
          {"user", user.name},
          {"needs_token", view_.users.need_token()},
          {"connections", view_.connections.count()},
          {"calls",
           {{"queued", queued},
            {"running", static_cast<std::int64_t>(current.size()) - queued},
            {"done", sum.count(CallState::done)},
            {"failed", sum.count(CallState::failed)},
            {"cancelled", sum.count(CallState::cancelled)}}},
          {"bytes", {{"received", sum.received_bytes}, {"sent", sum.sent_bytes}}}};
}

json ServerApi::routines(const std::string& url) const {
  json modules = json::array();
  std::string last;
  for (const RankGroup& module : view_.modules.offered().groups) {
    // Pools of one module follow each other, and have the same routines.
    if (std::exchange(last, module->module().name) == module->module().name) continue;
    json routines = module->documentation();
    for (json& routine : routines) {
      for (json& example : routine.at("examples")) {
        example = fill_in(example.get<std::string>(), url);
      }
    }
    modules.push_back({{"module", module->module().name},
                       {"ranks", module->ranks()},
                       {"routines", std::move(routines)}});
  }
  return {{"modules", std::move(modules)}};
}

json ServerApi::calls(const User& user, std::size_t most) const {
  const auto described = [&](std::vector<CallRecord> records) {
    for (CallRecord& one : records) {
      // Who knows the name of what is kept may use it.
      if (one.origin.user != user.name) one.kept.clear();
    }
    return to_json(records);
  };
  return {{"now", now_s()},
          {"current", described(view_.calls.current())},
          {"past", described(view_.calls.past(std::min(most, past_most)))}};
}

json ServerApi::arrays(const User& user) const {
  return {{"arrays", view_.kept.list(user.name, view_.modules.limits().keep_most_s)}};
}

json ServerApi::ranks() const {
  json modules = json::array();
  for (const RankGroup& module : view_.modules.offered().groups) {
    const ModuleState state = module->state();
    // Not those of the other pools.
    const std::vector<CallRecord> calls = view_.calls.current_of(state.lease);
    json ranks = json::array();
    for (std::size_t rank = 0; rank < state.has_joined.size(); ++rank) {
      const char* const absent = state.waiting_count > 0 ? "starting" : "stopped";
      const std::string_view activity = state.has_joined[rank] ? activity_of(rank, calls) : absent;
      ranks.push_back({{"rank", rank}, {"state", activity}});
    }
    modules.push_back({{"module", module->module().name},
                       {"leased", state.lease != 0},
                       {"waiting", state.waiting_count},
                       {"ranks", std::move(ranks)}});
  }
  return {{"modules", std::move(modules)}};
}

}  // namespace tasuki::rpc
