#include "rpc/server/server_metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "rpc/web/metrics_text.hpp"

namespace tasuki::rpc {
namespace {

using Totals = std::map<CallLog::RoutineKey, CallTotals>;
using Labels = MetricsText::Labels;

struct Phase {
  const char* name;
  SecondsHistogram CallTotals::*seconds;
};
constexpr std::array<Phase, 5> phases = {{
    {"client", &CallTotals::client},
    {"queue", &CallTotals::queued},
    {"receive", &CallTotals::receive},
    {"compute", &CallTotals::compute},
    {"send", &CallTotals::send},
}};

void add_outcomes(MetricsText& metrics, const Totals& totals) {
  metrics.begin("tasuki_calls_total", "counter", "Calls that have ended, by how they did.");
  for (const auto& [key, routine] : totals) {
    for (const CallState outcome : {CallState::done, CallState::failed, CallState::cancelled}) {
      metrics.add(routine.count(outcome),
                  {{"module", key.first}, {"routine", key.second}, {"outcome", name_of(outcome)}});
    }
  }
}

void add_histogram(MetricsText& metrics, const SecondsHistogram& seconds, const Labels& labels) {
  const auto add_bucket = [&](const std::string& bound, std::int64_t count) {
    Labels bucket = labels;
    bucket.emplace_back("le", bound);
    metrics.add(count, bucket, "_bucket");
  };
  for (std::size_t i = 0; i < SecondsHistogram::bounds_s.size(); ++i) {
    add_bucket(fmt::format("{}", SecondsHistogram::bounds_s[i]), seconds.count_within(i));
  }
  add_bucket("+Inf", seconds.count());
  metrics.add(seconds.sum_s(), labels, "_sum");
  metrics.add(seconds.count(), labels, "_count");
}

void add_seconds(MetricsText& metrics, const Totals& totals) {
  metrics.begin("tasuki_call_seconds", "histogram",
                "Time of calls by phase: client is all of it, the others are parts, of the slowest "
                "rank.");
  for (const auto& [key, routine] : totals) {
    for (const Phase& phase : phases) {
      add_histogram(metrics, routine.*phase.seconds,
                    {{"module", key.first}, {"routine", key.second}, {"phase", phase.name}});
    }
  }
}

void add_bytes(MetricsText& metrics, const Totals& totals) {
  metrics.begin("tasuki_call_bytes_total", "counter",
                "Bytes of arrays of calls that have ended: in to the ranks, out from them.");
  for (const auto& [key, routine] : totals) {
    const Labels labels = {{"module", key.first}, {"routine", key.second}};
    const auto add = [&](const char* direction, std::int64_t bytes) {
      Labels all = labels;
      all.emplace_back("direction", direction);
      metrics.add(bytes, all);
    };
    add("in", routine.received_bytes);
    add("out", routine.sent_bytes);
  }
}

void add_modules(MetricsText& metrics, const ServerView& view) {
  const std::vector<RankGroup> modules = view.modules.offered().groups;
  std::vector<ModuleState> states;
  std::vector<std::string> pools;  // Counted in each module.
  for (const RankGroup& module : modules) {
    const bool is_first =
        states.empty() || modules[states.size() - 1]->module().name != module->module().name;
    pools.push_back(is_first ? "0" : std::to_string(std::stoi(pools.back()) + 1));
    states.push_back(module->state());
  }
  const auto add_each = [&](const char* name, const char* help, auto value_of) {
    metrics.begin(name, "gauge", help);
    for (std::size_t i = 0; i < states.size(); ++i) {
      metrics.add(static_cast<std::int64_t>(value_of(states[i])),
                  {{"module", modules[i]->module().name}, {"pool", pools[i]}});
    }
  };
  add_each("tasuki_ranks", "Ranks that have joined the server.",
           [](const ModuleState& one) { return std::ranges::count(one.has_joined, true); });
  add_each("tasuki_ranks_wanted", "Ranks that the module has when all have joined.",
           [](const ModuleState& one) { return one.has_joined.size(); });
  add_each("tasuki_queue_length", "Clients that wait for the ranks.",
           [](const ModuleState& one) { return one.waiting_count; });
}

void add_server(MetricsText& metrics, const ServerView& view) {
  const std::vector<CallRecord> current = view.calls.current();
  const auto queued = std::ranges::count(current, CallState::queued, &CallRecord::state);
  metrics.begin("tasuki_calls_running", "gauge", "Calls under way on the ranks.");
  metrics.add(static_cast<std::int64_t>(current.size()) - queued);
  metrics.begin("tasuki_connections", "gauge",
                "Connections to the front end: of clients, ranks and browsers.");
  metrics.add(static_cast<std::int64_t>(view.connections.count()));
  metrics.begin("tasuki_uptime_seconds", "gauge", "How long the server has been serving.");
  const std::chrono::duration<double> uptime = std::chrono::steady_clock::now() - view.begin;
  metrics.add(uptime.count());
}

}  // namespace

std::string server_metrics(const ServerView& view) {
  MetricsText metrics;
  const Totals totals = view.calls.totals();
  add_outcomes(metrics, totals);
  add_seconds(metrics, totals);
  add_bytes(metrics, totals);
  add_modules(metrics, view);
  add_server(metrics, view);
  return metrics.text();
}

}  // namespace tasuki::rpc
