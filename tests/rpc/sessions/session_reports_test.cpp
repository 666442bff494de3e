#include "rpc/sessions/session_reports.hpp"

#include <gtest/gtest.h>

namespace tasuki::rpc {
namespace {

CallReport report_of(double client_s) {
  CallReport report;
  report.client_s = client_s;
  return report;
}

TEST(SessionReportsTest, AReportIsThereByTheNumberOfItsSession) {
  SessionReports reports;
  reports.add(3, report_of(0.5));
  ASSERT_TRUE(reports.of(3));
  EXPECT_EQ(reports.of(3)->client_s, 0.5);
  EXPECT_FALSE(reports.of(2));
}

TEST(SessionReportsTest, TheNewestAreKept) {
  SessionReports reports;
  constexpr int most = SessionReports::most_count;
  for (int session = 1; session <= most + 1; ++session) reports.add(session, report_of(session));
  EXPECT_FALSE(reports.of(1));
  EXPECT_TRUE(reports.of(2));
  EXPECT_TRUE(reports.of(most + 1));
}

}  // namespace
}  // namespace tasuki::rpc
