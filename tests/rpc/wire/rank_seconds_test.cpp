#include "rpc/wire/rank_seconds.hpp"

#include <gtest/gtest.h>

#include "rpc/wire/happened.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

TEST(RankSecondsTest, TravelAsTheyAre) {
  const RankSeconds made =
      rank_seconds_from(to_json({.receive = 1, .compute = 2, .send = 3, .cpu = 4}));
  EXPECT_EQ(made.receive, 1);
  EXPECT_EQ(made.compute, 2);
  EXPECT_EQ(made.send, 3);
  EXPECT_EQ(made.cpu, 4);
}

TEST(RankSecondsTest, PartsThatAreMissingAreZeroAndOthersMustBeNumbers) {
  const RankSeconds made = rank_seconds_from({{"compute", 2}});
  EXPECT_EQ(made.receive, 0);
  EXPECT_EQ(made.compute, 2);
  EXPECT_EQ(happened_in([] {
              rank_seconds_from({{"cpu", "much"}});
            }),
            "its field cpu is missing or of another type");
}

TEST(RankSecondsTest, ThreadsAreThoseThatRanAtOnceAndOneAtLeast) {
  EXPECT_EQ(threads_of({.compute = 2, .cpu = 6}), 3);
  EXPECT_EQ(threads_of({.compute = 2, .cpu = 0.5}), 1);
  EXPECT_EQ(threads_of({.compute = 0, .cpu = 0.5}), 1);
}

TEST(RankSecondsTest, AReportHasThreadsInPlaceOfTheProcessorsTime) {
  const json report = report_of({.receive = 1, .compute = 2, .send = 3, .cpu = 4});
  EXPECT_EQ(report, json({{"seconds", {{"receive", 1.0}, {"compute", 2.0}, {"send", 3.0}}},
                          {"threads", 2.0}}));
}

}  // namespace
}  // namespace tasuki::rpc
