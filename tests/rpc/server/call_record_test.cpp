#include "rpc/server/call_record.hpp"

#include <gtest/gtest.h>

namespace tasuki::rpc {
namespace {

using nlohmann::json;

/// A call of two ranks, of which one has received more than the other.
CallRecord record() {
  CallRecord made;
  made.number = 7;
  made.origin = {"m", "f", "ann", "127.0.0.1", 3, "relay"};
  made.state = CallState::receiving;
  made.begin_s = 100;
  made.queued_s = 1;
  made.client_s = 4;
  made.front_end_s = 2;
  for (const std::int64_t received : {10, 30}) {
    RankPart part;
    part.received_bytes = received;
    part.to_receive_bytes = 50;
    part.seconds.compute = 0.5;
    part.sent_bytes = 1;
    part.to_send_bytes = 5;
    made.ranks.push_back(part);
  }
  return made;
}

TEST(CallRecordTest, BytesAreThoseOfAllRanks) {
  EXPECT_EQ(record().received_bytes(), 40);
  EXPECT_EQ(record().sent_bytes(), 2);
  EXPECT_EQ(record().total_bytes(), 110);
  EXPECT_EQ(CallRecord().total_bytes(), 0);
}

TEST(CallRecordTest, IsDescribedForOperators) {
  json described = to_json(record());
  EXPECT_EQ(described.at("ranks").size(), 2U);
  EXPECT_EQ(described["ranks"][1].at("bytes"), json({{"received", 30}, {"sent", 1}}));
  EXPECT_EQ(described["ranks"][1].at("state"), "receiving");
  EXPECT_EQ(described["ranks"][1].at("seconds").at("compute"), 0.5);
  described.erase("ranks");
  EXPECT_EQ(described, json({{"number", 7},
                             {"kind", "call"},
                             {"module", "m"},
                             {"routine", "f"},
                             {"user", "ann"},
                             {"client", {{"host", "127.0.0.1"}, {"number", 3}}},
                             {"mode", "relay"},
                             {"state", "receiving"},
                             {"begin", 100.0},
                             {"seconds", {{"client", 4.0}, {"queued", 1.0}, {"front_end", 2.0}}},
                             {"bytes", {{"received", 40}, {"sent", 2}, {"total", 110}}}}));
}

TEST(CallRecordTest, WhatFewCallsHaveIsThereOnlyIfTheyHaveIt) {
  CallRecord made = record();
  made.happened = "singular";
  made.kept = "a";
  made.calls_count = 5;
  const json described = to_json(made);
  EXPECT_EQ(described.at("happened"), "singular");
  EXPECT_EQ(described.at("kept"), "a");
  EXPECT_EQ(described.at("calls"), 5);
}

}  // namespace
}  // namespace tasuki::rpc
