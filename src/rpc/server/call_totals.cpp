#include "rpc/server/call_totals.hpp"

#include <algorithm>

namespace tasuki::rpc {

void CallTotals::add(const CallRecord& record) noexcept {
  const std::int64_t count = record.calls_count;
  calls_counts[static_cast<std::size_t>(record.state)] += count;
  received_bytes += record.received_bytes();
  sent_bytes += record.sent_bytes();
  RankSeconds slowest;
  for (const RankPart& one : record.ranks) {
    slowest.receive = std::max(slowest.receive, one.seconds.receive);
    slowest.compute = std::max(slowest.compute, one.seconds.compute);
    slowest.send = std::max(slowest.send, one.seconds.send);
  }
  const auto calls = static_cast<double>(count);
  client.add(record.client_s / calls, count);
  queued.add(record.queued_s / calls, count);
  receive.add(slowest.receive / calls, count);
  compute.add(slowest.compute / calls, count);
  send.add(slowest.send / calls, count);
}

}  // namespace tasuki::rpc
