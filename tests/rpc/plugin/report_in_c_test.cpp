#include "rpc/plugin/report_in_c.hpp"

#include <gtest/gtest.h>

namespace tasuki::rpc {
namespace {

TEST(ReportInCTest, HasWhatTheReportHas) {
  CallReport report;
  report.server = "tasuki://a:7777";
  report.mode = TransferMode::relay;
  report.wire = WireFormat::xdr;
  report.sent_bytes = 1;
  report.received_bytes = 2;
  report.client_s = 3;
  report.front_end_s = 4;
  report.ranks = {{.receive = 5, .compute = 6, .send = 7, .cpu = 12}, {.compute = 8}};
  const ReportInC made(report);
  report = {};  // The structure does not point into what it was made of.
  const tasuki_report& in_c = made.get();
  EXPECT_STREQ(in_c.server, "tasuki://a:7777");
  EXPECT_STREQ(in_c.mode, "relay");
  EXPECT_STREQ(in_c.wire, "xdr");
  EXPECT_EQ(in_c.sent_bytes, 1);
  EXPECT_EQ(in_c.received_bytes, 2);
  EXPECT_EQ(in_c.client_s, 3);
  EXPECT_EQ(in_c.front_end_s, 4);
  EXPECT_EQ(in_c.computation_s, 8);
  ASSERT_EQ(in_c.ranks_count, 2U);
  EXPECT_EQ(in_c.ranks[0].receive_s, 5);
  EXPECT_EQ(in_c.ranks[0].compute_s, 6);
  EXPECT_EQ(in_c.ranks[0].send_s, 7);
  EXPECT_EQ(in_c.ranks[0].threads, 2);
  EXPECT_EQ(in_c.ranks[1].threads, 1);
}

}  // namespace
}  // namespace tasuki::rpc
