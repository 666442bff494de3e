#include "rpc/plugin/report_in_c.hpp"

namespace tasuki::rpc {
namespace {

std::vector<tasuki_rank_report> ranks_of(const CallReport& report) {
  std::vector<tasuki_rank_report> ranks;
  for (const RankSeconds& one : report.ranks) {
    ranks.push_back({one.receive, one.compute, one.send, threads_of(one)});
  }
  return ranks;
}

}  // namespace

ReportInC::ReportInC(const CallReport& report)
    : server_(report.server),
      mode_(name_of(report.mode)),
      wire_(name_of(report.wire)),
      ranks_(ranks_of(report)),
      in_c_{server_.c_str(),       mode_.c_str(),   wire_.c_str(),      report.sent_bytes,
            report.received_bytes, report.client_s, report.front_end_s, report.computation_s(),
            ranks_.data(),         ranks_.size()} {}

}  // namespace tasuki::rpc
