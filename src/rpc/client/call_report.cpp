#include "rpc/client/call_report.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "rpc/wire/frame.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

std::string text_of(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace

double CallReport::computation_s() const noexcept {
  double seconds = 0;
  for (const RankSeconds& one : ranks) seconds = std::max(seconds, one.compute);
  return seconds;
}

void CallReport::take_seconds(std::vector<json> answers, bool is_staged) {
  if (!is_staged) {
    for (const json& one : answers) ranks.push_back(rank_seconds_from(one.at("seconds")));
    return;
  }
  json of_front_end = std::move(answers.front()["seconds"]);
  for (const json& one : field_of<std::vector<json>>(of_front_end, "ranks")) {
    ranks.push_back(rank_seconds_from(one));
  }
  of_front_end.erase("ranks");
  front_end_s += field_of<double>(of_front_end, "call");
  front_end = std::move(of_front_end);
}

std::string json_text_of(const CallReport& report) {
  // By hand: a tree of JSON values would take longer than the rest of a call that does little.
  fmt::memory_buffer text;
  const fmt::appender to(text);
  fmt::format_to(to, FMT_COMPILE(R"({{"bytes":{{"received":{},"sent":{}}},"mode":"{}","ranks":[)"),
                 report.received_bytes, report.sent_bytes, name_of(report.mode));
  const char* separator = "";
  for (const RankSeconds& one : report.ranks) {
    fmt::format_to(
        to, FMT_COMPILE(R"({}{{"seconds":{{"compute":{},"receive":{},"send":{}}},"threads":{}}})"),
        separator, one.compute, one.receive, one.send, threads_of(one));
    separator = ",";
  }
  const double computation_s = report.computation_s();
  fmt::format_to(
      to, FMT_COMPILE(R"(],"seconds":{{"client":{},"computation":{},"front_end":{}}},"wire":"{}")"),
      report.client_s, computation_s, report.front_end_s, name_of(report.wire));
  fmt::format_to(to, FMT_COMPILE(R"(,"server":{})"), text_of(report.server));
  if (report.front_end.is_object()) {
    fmt::format_to(to, FMT_COMPILE(R"(,"front_end":{{"seconds":{}}})"), text_of(report.front_end));
  }
  if (report.texts.is_object()) {
    fmt::format_to(to, FMT_COMPILE(R"(,"texts":{})"), text_of(report.texts));
  }
  if (report.operations) {
    fmt::format_to(to, FMT_COMPILE(R"(,"operations":{})"), *report.operations);
    if (computation_s > 0) {
      fmt::format_to(to, FMT_COMPILE(R"(,"operations_per_s":{})"),
                     static_cast<double>(*report.operations) / computation_s);
    }
  }
  text.push_back('}');
  return fmt::to_string(text);
}

}  // namespace tasuki::rpc
