// A call's report as programs in C read it: the structure tasuki_report of tasuki/client.h.
//
// Made by the C interfaces. Thread-safety: none; it stays where it is, as the structure points into
// it.
#pragma once

#include <tasuki/client.h>

#include <string>
#include <vector>

#include "rpc/client/call_report.hpp"

namespace tasuki::rpc {

class ReportInC {
 public:
  explicit ReportInC(const CallReport& report);
  ~ReportInC() = default;
  ReportInC(const ReportInC&) = delete;
  ReportInC& operator=(const ReportInC&) = delete;

  const tasuki_report& get() const noexcept { return in_c_; }

 private:
  std::string server_;
  std::string mode_;
  std::string wire_;
  std::vector<tasuki_rank_report> ranks_;
  tasuki_report in_c_;
};

}  // namespace tasuki::rpc
