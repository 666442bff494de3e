#include "common/report.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace tasuki::apps {
namespace {

Report example(double value) {
  return {.name = "cg",
          .implementation = "tasuki",
          .transport = "shm",
          .title = "NPB cg class W",
          .parameters = {{"class", "\"W\""}},
          .findings = {},
          .value_name = "zeta",
          .operations = 8e6,
          .checks = {{"zeta", value, 2.0, 1e-10}},
          .measurements = {{2.0, 0.5, 0, 10, 100}, {4.0, 1.5, 0, 20, 300}}};
}

TEST(Report, ChecksRelativeError) {
  EXPECT_TRUE((Check{"", 2.0 * (1 + 0.9e-10), 2.0, 1e-10}.passed()));
  EXPECT_FALSE((Check{"", 2.0 * (1 + 1.1e-10), 2.0, 1e-10}.passed()));
  EXPECT_FALSE((Check{"", -2.0, 2.0, 1e-10}.passed()));
  EXPECT_FALSE((Check{"", 19, 18, 0}.passed()));
  EXPECT_FALSE((Check{"", std::numeric_limits<double>::quiet_NaN(), 2.0, 1e-10}.passed()));
}

TEST(Report, NothingCheckedIsNotVerified) {
  Report report = example(2.0);
  report.checks.clear();
  EXPECT_FALSE(report.verified());
}

TEST(Report, TimeIsTheSlowestRanksAndCommunicationTheMean) {
  const std::string text = json(example(2.0));
  for (const char* field :
       {R"("name": "cg")", R"("class": "W")", R"("ranks": 2)", R"("verified": true)",
        R"("seconds": 4.000000000)", R"("mops": 2.000)", R"("compute_seconds": 3.000000000)",
        R"("communication_seconds": 1.000000000)", R"("messages": 30)", R"("bytes": 400)",
        R"("zeta": 2)", R"("expected": 2)"})
    EXPECT_NE(text.find(field), std::string::npos) << field << " in " << text;
}

TEST(Report, WaitingIsNeitherComputationNorCommunication) {
  Report report = example(2.0);
  EXPECT_EQ(json(report).find("wait_seconds"), std::string::npos);
  report.tells_wait = true;
  report.measurements[0].wait_seconds = 1;
  report.measurements[1].wait_seconds = 0.5;
  const std::string text = json(report);
  EXPECT_NE(text.find(R"("wait_seconds": 0.750000000)"), std::string::npos) << text;
  EXPECT_NE(text.find(R"("compute_seconds": 2.250000000)"), std::string::npos) << text;
}

TEST(Report, SpeedUpIsToldWhereItWasMeasured) {
  Report report = example(2.0);
  EXPECT_EQ(json(report).find("speedup"), std::string::npos);
  report.sequential_seconds = 6;
  EXPECT_NE(json(report).find(R"("sequential_seconds": 6.000000000, "speedup": 1.5000)"),
            std::string::npos)
      << json(report);
}

TEST(Report, ALimitIsNotToBeExceeded) {
  EXPECT_TRUE((Check{"", 0.5, 16, 0, true}.passed()));
  EXPECT_FALSE((Check{"", 16.5, 16, 0, true}.passed()));
  EXPECT_FALSE((Check{"", std::numeric_limits<double>::quiet_NaN(), 16, 0, true}.passed()));
}

TEST(Report, AWrongAnswerShowsBothValuesAndFails) {
  const Report wrong = example(2.5);
  EXPECT_FALSE(wrong.verified());
  EXPECT_NE(table(wrong).find("FAILED zeta: 2.5, expected 2"), std::string::npos) << table(wrong);
  EXPECT_NE(json(wrong).find(R"("verified": false)"), std::string::npos);
  EXPECT_EQ(print(wrong, false), 1);
  EXPECT_EQ(print(example(2.0), false), 0);
}

TEST(Report, JsonHasNoNaN) {
  const std::string text = json(example(std::numeric_limits<double>::quiet_NaN()));
  EXPECT_NE(text.find(R"("zeta": null, "expected": 2)"), std::string::npos) << text;
}

TEST(Report, ManyFailuresAreSummedUp) {
  Report wrong = example(2.5);
  wrong.checks.assign(12, {"rank", 1, 2, 0});
  EXPECT_NE(table(wrong).find("and 7 more"), std::string::npos) << table(wrong);
}

}  // namespace
}  // namespace tasuki::apps
