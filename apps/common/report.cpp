#include "common/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace tasuki::apps {
namespace {

struct Totals {
  double communication_seconds = 0;  // mean over the ranks
  double wait_seconds = 0;           // likewise
  std::uint64_t messages = 0;
  std::uint64_t bytes = 0;
};

Totals totals(const Report& report) {
  Totals result;
  for (const Measurement& rank : report.measurements) {
    result.communication_seconds += rank.communication_seconds;
    result.wait_seconds += rank.wait_seconds;
    result.messages += rank.messages;
    result.bytes += rank.bytes;
  }
  const auto ranks = static_cast<double>(report.measurements.size());
  result.communication_seconds /= ranks;
  result.wait_seconds /= ranks;
  return result;
}

double mops(const Report& report) { return report.operations / report.seconds() * 1e-6; }

double compute_seconds(const Report& report, const Totals& total) {
  return report.seconds() - total.communication_seconds - total.wait_seconds;
}

/// Counts without a point.
Json number(double value) {
  constexpr double most = 9e15;  // Below it a double knows all integers.
  const bool is_count = std::trunc(value) == value && std::abs(value) < most;
  return is_count ? Json(static_cast<std::int64_t>(value)) : Json(value);
}

void append(Json& object, const Json& fields) {
  if (!fields.is_null()) object.update(fields);
}

std::string check_text(const Check& check) {
  return fmt::format("{}: {:.14g}, {} {:.14g}", check.what, check.value,
                     check.is_limit ? "at most" : "expected", check.expected);
}

/// One line per failed check; the first few tell enough.
std::string failures(const Report& report) {
  constexpr int most_lines = 5;
  int failed = 0;
  std::string text;
  for (const Check& check : report.checks)
    if (!check.passed() && ++failed <= most_lines)
      text += fmt::format("  FAILED {}\n", check_text(check));
  if (failed > most_lines) text += fmt::format("  and {} more\n", failed - most_lines);
  return text;
}

}  // namespace

bool Check::passed() const noexcept {
  // Written so that a NaN does not pass.
  if (is_limit) return value <= expected;
  return std::abs(value - expected) <= tolerance * std::abs(expected);
}

bool Report::verified() const noexcept {
  return !checks.empty() && std::all_of(checks.begin(), checks.end(),
                                        [](const Check& check) { return check.passed(); });
}

double Report::seconds() const noexcept {
  double most = 0;
  for (const Measurement& rank : measurements) most = std::max(most, rank.seconds);
  return most;
}

std::string table(const Report& report) {
  const Totals total = totals(report);
  std::string text = fmt::format(
      "{}, {} over {}, {} rank{}: {}\n", report.title, report.implementation, report.transport,
      report.measurements.size(), report.measurements.size() == 1 ? "" : "s",
      report.verified() ? "VERIFIED" : "FAILED");
  text += report.verified() ? fmt::format("  {}\n", check_text(report.checks.front()))
                            : failures(report);
  text += fmt::format(
      "  time           {:12.4f} s\n  speed          {:12.1f} Mop/s\n"
      "  computation    {:12.4f} s (mean over ranks)\n  communication  {:12.4f} s\n",
      report.seconds(), mops(report), compute_seconds(report, total), total.communication_seconds);
  if (report.tells_wait) text += fmt::format("  waiting        {:12.4f} s\n", total.wait_seconds);
  for (const auto& [name, value] : report.findings.items())
    text += fmt::format("  {:<14} {:>12}\n", name, to_line(value));
  text +=
      fmt::format("  messages       {:12}\n  bytes          {:12}\n", total.messages, total.bytes);
  if (report.sequential_seconds > 0)
    text += fmt::format("  sequential     {:12.4f} s\n  speed-up       {:12.3f}\n",
                        report.sequential_seconds, report.sequential_seconds / report.seconds());
  return text;
}

Json to_json(const Report& report) {
  const Totals total = totals(report);
  const auto failed = std::find_if(report.checks.begin(), report.checks.end(),
                                   [](const Check& check) { return !check.passed(); });
  const Check& shown = failed == report.checks.end() ? report.checks.front() : *failed;
  const auto add_communication = [&](Json& object, const auto& times) {
    object["communication_seconds"] = times.communication_seconds;
    if (report.tells_wait) object["wait_seconds"] = times.wait_seconds;
    object["messages"] = times.messages;
    object["bytes"] = times.bytes;
  };
  Json object = {{"name", report.name}};
  append(object, report.parameters);
  object.update({{"implementation", report.implementation},
                 {"transport", report.transport},
                 {"ranks", report.measurements.size()}});
  append(object, report.findings);
  object.update({{"verified", report.verified()},
                 {"seconds", report.seconds()},
                 {"mops", mops(report)},
                 {"compute_seconds", compute_seconds(report, total)}});
  add_communication(object, total);
  if (report.sequential_seconds > 0) {
    object["sequential_seconds"] = report.sequential_seconds;
    object["speedup"] = report.sequential_seconds / report.seconds();
  }
  object.update({{"checked", shown.what},
                 {report.value_name, number(shown.value)},
                 {"expected", number(shown.expected)},
                 {"per_rank", Json::array()}});
  for (const Measurement& rank : report.measurements) {
    add_communication(object["per_rank"].emplace_back(Json{{"seconds", rank.seconds}}), rank);
  }
  return object;
}

int print(const Report& report, bool as_json) {
  const std::string text = as_json ? to_line(to_json(report)) + "\n" : table(report);
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
  if (as_json && !report.verified()) std::fputs(failures(report).c_str(), stderr);
  return report.verified() ? 0 : 1;
}

}  // namespace tasuki::apps
