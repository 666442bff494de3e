#include "rpc/server/call_watch.hpp"

#include <gtest/gtest.h>

#include <tasuki/error.hpp>

#include "rpc/wire/pace.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;
using std::chrono::seconds;

const CallWatch::Clock::time_point begin{seconds(1000)};

json told(std::int64_t call, const char* state, std::int64_t moved_bytes, bool waits = false,
          double age_s = 1) {
  const json one = {{"call", call}, {"state", state}, {"age_s", age_s}};
  return {{"calls", {one}}, {"ended", call - 1}, {"moved", moved_bytes}, {"waits", waits}};
}
/// Of a call for which the rank waits for the client.
json waiting(std::int64_t call, const char* state, std::int64_t moved_bytes) {
  return told(call, state, moved_bytes, true);
}

json ended(std::int64_t call, std::int64_t moved_bytes = 0) {
  return {{"calls", json::array()}, {"ended", call}, {"moved", moved_bytes}, {"waits", false}};
}

std::string happened_in(CallWatch& watch, seconds later) {
  const auto fault = watch.check(begin + later);
  return fault ? fault->happened : "";
}

CallWatch watch_of_client() { return {"call m", {{}, 60}, 2}; }

TEST(CallWatchTest, ACallMayTakeSoLong) {
  CallWatch watch("call m", {5, {}}, 2);
  watch.take(0, told(1, "computing", 0, false, 4.9), begin);
  EXPECT_EQ(happened_in(watch, seconds(0)), "");
  watch.take(0, told(1, "computing", 0, false, 5), begin);
  EXPECT_EQ(happened_in(watch, seconds(0)), "the call has taken longer than 5 s");
  watch.take(0, ended(1), begin);
  EXPECT_EQ(happened_in(watch, seconds(9)), "");
}

TEST(CallWatchTest, TheTimeCountsWhileTheRankSaysNothing) {
  CallWatch watch("call m", {5, {}}, 1);
  watch.take(0, told(1, "computing", 0, false, 2), begin);
  EXPECT_EQ(happened_in(watch, seconds(2)), "");
  EXPECT_EQ(happened_in(watch, seconds(3)), "the call has taken longer than 5 s");
}

TEST(CallWatchTest, ItKnowsWhetherACallIsUnderWay) {
  CallWatch watch = watch_of_client();
  EXPECT_FALSE(watch.is_busy());
  watch.take(1, told(1, "computing", 0));
  EXPECT_TRUE(watch.is_busy());
  watch.take(1, ended(1));
  EXPECT_FALSE(watch.is_busy());
}

TEST(CallWatchTest, AClientThatSendsNextToNothingHoldsTheCallUp) {
  CallWatch watch = watch_of_client();
  watch.take(0, told(1, "computing", 5000));  // And waits for the other rank.
  watch.take(1, waiting(1, "receiving", 1000));
  EXPECT_EQ(happened_in(watch, seconds(0)), "");
  watch.take(1, waiting(1, "receiving", 1001));
  EXPECT_EQ(happened_in(watch, seconds(59)), "");
  EXPECT_EQ(happened_in(watch, seconds(60)),
            "its client has sent and taken less than 1 KiB/s for 60 s");
}

TEST(CallWatchTest, WhatAnyRankMovesCounts) {
  CallWatch watch = watch_of_client();
  watch.take(1, waiting(1, "receiving", 0));  // Its turn is to come.
  for (int minute = 0; minute < 5; ++minute) {
    watch.take(0, waiting(1, "receiving", minute * Pace::least_bytes_in(60)));
    EXPECT_EQ(happened_in(watch, seconds(60 * minute)), "");
  }
}

TEST(CallWatchTest, ARankThatAloneIsNotCalledIsHeldUp) {
  CallWatch watch = watch_of_client();
  watch.take(1, ended(1));
  watch.take(0, ended(1));
  EXPECT_EQ(happened_in(watch, seconds(0)), "");
  watch.take(0, told(2, "computing", 10));
  EXPECT_EQ(happened_in(watch, seconds(1000)), "");
  EXPECT_NE(happened_in(watch, seconds(1060)), "");
}

TEST(CallWatchTest, RanksThatTellOfShortCallsAtDifferentTimesWaitForNobody) {
  CallWatch watch = watch_of_client();
  for (int second = 0; second < 200; ++second) {  // One of them seems to be behind at any time.
    watch.take(second % 2, ended(100 + second));
    EXPECT_EQ(happened_in(watch, seconds(second)), "");
  }
}

TEST(CallWatchTest, NobodyIsHeldUpByComputing) {
  CallWatch watch = watch_of_client();
  watch.take(0, told(1, "computing", 10));
  watch.take(1, waiting(1, "sending", 10));  // The client takes the other's results first.
  EXPECT_EQ(happened_in(watch, seconds(0)), "");
  EXPECT_EQ(happened_in(watch, seconds(1000)), "");
  watch.take(0, waiting(1, "sending", 10));
  EXPECT_EQ(happened_in(watch, seconds(1001)), "");
  EXPECT_NE(happened_in(watch, seconds(1061)), "");
}

TEST(CallWatchTest, WhatTheRankDoesItselfMayTakeLong) {
  CallWatch watch = watch_of_client();
  watch.take(0, told(1, "receiving", 10));  // It reads the client's memory, say.
  watch.take(1, told(1, "receiving", 10));
  EXPECT_EQ(happened_in(watch, seconds(0)), "");
  EXPECT_EQ(happened_in(watch, seconds(1000)), "");
}

TEST(CallWatchTest, AClientThatStopsInACallbackHoldsTheCallUp) {
  CallWatch watch = watch_of_client();
  watch.take(1, told(1, "computing", 10));
  watch.take(0, told(1, "computing", 10));  // The client's function runs.
  EXPECT_EQ(happened_in(watch, seconds(0)), "");
  EXPECT_EQ(happened_in(watch, seconds(1000)), "");
  watch.take(0, waiting(1, "computing", 20));  // Part of its answer has come.
  EXPECT_EQ(happened_in(watch, seconds(1001)), "");
  EXPECT_NE(happened_in(watch, seconds(1061)), "");
}

TEST(CallWatchTest, BetweenCallsAClientMayBeSilent) {
  CallWatch watch = watch_of_client();
  for (const int rank : {0, 1}) watch.take(rank, waiting(1, "receiving", 10));
  EXPECT_EQ(happened_in(watch, seconds(0)), "");
  for (const int rank : {0, 1}) watch.take(rank, ended(1, 20));
  EXPECT_EQ(happened_in(watch, seconds(1000)), "");
  for (const int rank : {0, 1}) watch.take(rank, waiting(2, "receiving", 20));
  EXPECT_EQ(happened_in(watch, seconds(1001)), "");
  EXPECT_EQ(happened_in(watch, seconds(1060)), "");
}

TEST(CallWatchTest, WithoutLimitsNothingEnds) {
  CallWatch watch("call m", {}, 1);
  watch.take(0, told(1, "receiving", 0, true, 1e9));
  EXPECT_EQ(happened_in(watch, seconds(0)), "");
  EXPECT_EQ(happened_in(watch, seconds(1'000'000)), "");
}

TEST(CallWatchTest, AMalformedMessageIsRefused) {
  CallWatch watch = watch_of_client();
  EXPECT_THROW(watch.take(0, json::object()), error);
  EXPECT_THROW(watch.take(0, told(1, "resting", 0)), error);
}

}  // namespace
}  // namespace tasuki::rpc
