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
          .parameters = {{"class", "W"}},
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
  const Json object = to_json(example(2.0));
  const Json expected = {{"name", "cg"},
                         {"class", "W"},
                         {"ranks", 2},
                         {"verified", true},
                         {"seconds", 4},
                         {"mops", 2},
                         {"compute_seconds", 3},
                         {"communication_seconds", 1},
                         {"messages", 30},
                         {"bytes", 400},
                         {"zeta", 2},
                         {"expected", 2}};
  for (const auto& [name, value] : expected.items()) EXPECT_EQ(object[name], value) << name;
  EXPECT_EQ(object["per_rank"].size(), 2U);
  EXPECT_EQ(object["per_rank"][1]["messages"], 20);
}

TEST(Report, WaitingIsNeitherComputationNorCommunication) {
  Report report = example(2.0);
  EXPECT_FALSE(to_json(report).contains("wait_seconds"));
  report.tells_wait = true;
  report.measurements[0].wait_seconds = 1;
  report.measurements[1].wait_seconds = 0.5;
  const Json object = to_json(report);
  EXPECT_EQ(object["wait_seconds"], 0.75);
  EXPECT_EQ(object["compute_seconds"], 2.25);
  EXPECT_EQ(object["per_rank"][1]["wait_seconds"], 0.5);
}

TEST(Report, SpeedUpIsToldWhereItWasMeasured) {
  Report report = example(2.0);
  EXPECT_FALSE(to_json(report).contains("speedup"));
  report.sequential_seconds = 6;
  EXPECT_EQ(to_json(report)["sequential_seconds"], 6);
  EXPECT_EQ(to_json(report)["speedup"], 1.5);
}

TEST(Report, FindingsAreInTheTableAndTheObject) {
  Report report = example(2.0);
  report.findings = {{"cut", 17}, {"graph", "town \"x\""}};
  EXPECT_EQ(to_json(report)["cut"], 17);
  EXPECT_EQ(to_json(report)["graph"], "town \"x\"");
  EXPECT_NE(table(report).find("17"), std::string::npos);
}

TEST(Report, TheCheckedValueStandsBeforeTheExpectedOne) {
  const std::string text = to_line(to_json(example(2.0)));
  EXPECT_NE(text.find(R"("checked":"zeta","zeta":2,"expected":2,"per_rank":[)"), std::string::npos)
      << text;
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
  EXPECT_FALSE(to_json(wrong)["verified"]);
  EXPECT_EQ(print(wrong, false), 1);
  EXPECT_EQ(print(example(2.0), false), 0);
}

TEST(Report, JsonHasNoNaN) {
  const std::string text = to_line(to_json(example(std::numeric_limits<double>::quiet_NaN())));
  EXPECT_NE(text.find(R"("zeta":null,"expected":2)"), std::string::npos) << text;
}

TEST(Report, ManyFailuresAreSummedUp) {
  Report wrong = example(2.5);
  wrong.checks.assign(12, {"rank", 1, 2, 0});
  EXPECT_NE(table(wrong).find("and 7 more"), std::string::npos) << table(wrong);
}

}  // namespace
}  // namespace tasuki::apps
