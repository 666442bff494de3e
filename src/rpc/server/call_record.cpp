#include "rpc/server/call_record.hpp"

#include <numeric>

namespace tasuki::rpc {
namespace {

using nlohmann::json;

std::int64_t sum_of(const std::vector<RankPart>& ranks, std::int64_t RankPart::*bytes) noexcept {
  const auto add = [&](std::int64_t sum, const RankPart& one) { return sum + one.*bytes; };
  return std::accumulate(ranks.begin(), ranks.end(), std::int64_t{0}, add);
}

json to_json(const RankPart& part) {
  json described = report_of(part.seconds);
  described["state"] = name_of(part.state);
  described["bytes"] = {{"received", part.received_bytes}, {"sent", part.sent_bytes}};
  return described;
}

}  // namespace

std::int64_t CallRecord::received_bytes() const noexcept {
  return sum_of(ranks, &RankPart::received_bytes);
}

std::int64_t CallRecord::sent_bytes() const noexcept {
  return sum_of(ranks, &RankPart::sent_bytes);
}

std::int64_t CallRecord::total_bytes() const noexcept {
  return sum_of(ranks, &RankPart::to_receive_bytes) + sum_of(ranks, &RankPart::to_send_bytes);
}

json to_json(const CallRecord& record) {
  json described = {
      {"number", record.number},
      {"kind", record.kind},
      {"module", record.origin.module},
      {"routine", record.origin.routine},
      {"user", record.origin.user},
      {"client", {{"host", record.origin.client_host}, {"number", record.origin.client}}},
      {"mode", record.origin.mode},
      {"state", name_of(record.state)},
      {"begin", record.begin_s},
      {"seconds",
       {{"client", record.client_s},
        {"queued", record.queued_s},
        {"front_end", record.front_end_s}}},
      {"bytes",
       {{"received", record.received_bytes()},
        {"sent", record.sent_bytes()},
        {"total", record.total_bytes()}}},
      {"ranks", json::array()}};
  for (const RankPart& one : record.ranks) described["ranks"].push_back(to_json(one));
  if (!record.happened.empty()) described["happened"] = record.happened;
  if (!record.kept.empty()) described["kept"] = record.kept;
  if (record.calls_count > 1) described["calls"] = record.calls_count;
  return described;
}

}  // namespace tasuki::rpc
