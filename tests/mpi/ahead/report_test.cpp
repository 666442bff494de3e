#include "mpi/ahead/report.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace tasuki::mpi::ahead {
namespace {

using Json = nlohmann::json;

TEST(Report, OfARankThatDidNothingIsALine) {
  const std::string line = Report().line(1, 4, predict::Mode::guarded, 0.25);
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  const Json read = Json::parse(line);
  EXPECT_EQ(read["rank"], 1);
  EXPECT_EQ(read["ranks"], 4);
  EXPECT_EQ(read["mode"], "guarded");
  EXPECT_EQ(read["receives"], 0);
  EXPECT_EQ(read["cpu_s"], 0.25);
  EXPECT_EQ(read["waits"]["log2_ns"].size(), Report::buckets_count);
}

TEST(Report, HasWhatBecameOfPredictions) {
  Report report;
  report.count_receive();
  report.counters().idle = 3;
  report.counters().count(3, 0);
  report.counters().count(3, 2);
  report.count_redone(predict::Field::source);
  report.count_redone(predict::Field::message_bytes);
  const Json read = Json::parse(report.line(0, 1, predict::Mode::always, 0));
  EXPECT_EQ(read["receives"], 1);
  EXPECT_EQ(read["idle"], 3);
  EXPECT_EQ(read["predicted"], 2);
  EXPECT_EQ(read["hit"], 1);
  EXPECT_EQ(read["miss"], 1);
  EXPECT_EQ(read["redone"], Json::parse(R"({"source": 1, "tag": 0, "bytes": 1})"));
  EXPECT_EQ(read["committed"], 4);
}

TEST(Report, CountsWaitsByPowersOfTwo) {
  Report report;
  for (const std::int64_t wait_ns : {0, 1, 1023, 1024, 2047}) report.add_wait(wait_ns);
  report.add_wait(INT64_C(1) << 50);
  const Json waits = Json::parse(report.line(0, 1, predict::Mode::off, 0))["waits"];
  EXPECT_EQ(waits["count"], 6);
  EXPECT_EQ(waits["total_ns"], 4095 + (INT64_C(1) << 50));
  EXPECT_EQ(waits["log2_ns"][0], 2);
  EXPECT_EQ(waits["log2_ns"][9], 1);
  EXPECT_EQ(waits["log2_ns"][10], 2);
  EXPECT_EQ(waits["log2_ns"][Report::buckets_count - 1], 1);
}

}  // namespace
}  // namespace tasuki::mpi::ahead
