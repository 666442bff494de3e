#include "rpc/server/call_log.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <tasuki/error.hpp>
#include <thread>
#include <vector>

namespace tasuki::rpc {
namespace {

using nlohmann::json;

json told(std::int64_t call, const char* state, const json& more = json::object()) {
  json described = {
      {"call", call},
      {"kind", "call"},
      {"routine", "solve"},
      {"state", state},
      {"age_s", 0.5},
      {"seconds", {{"receive", 0.1}, {"compute", 0.2}, {"cpu", 0.4}, {"send", 0.1}}},
      {"bytes", {{"received", 60}, {"to_receive", 100}, {"sent", 0}, {"to_send", 20}}}};
  described.update(more);
  return described;
}

json message(std::int64_t ended, std::vector<json> calls) {
  return {{"message", "calls"}, {"ended", ended}, {"calls", std::move(calls)}};
}

/// Short calls that are told together.
json others(std::int64_t calls_count, std::int64_t received_bytes, std::int64_t sent_bytes) {
  return {{"kind", "call"},
          {"routine", "solve"},
          {"calls", calls_count},
          {"seconds", {{"receive", 0.5}, {"compute", 1.5}, {"send", 0.5}}},
          {"bytes", {{"received", received_bytes}, {"sent", sent_bytes}}}};
}

CallOrigin origin() { return {"linpack", "solve", "ann", "127.0.0.1", 3}; }

TEST(CallLogTest, ACallIsQueuedAndThenAsFarAsItsSlowestRank) {
  CallLog log;
  const std::int64_t lease = *log.queue(origin());
  ASSERT_EQ(log.current().size(), 1U);
  EXPECT_EQ(log.current()[0].state, CallState::queued);
  log.open(lease, 2);
  log.take(lease, 1, message(0, {told(1, "computing")}));
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  log.take(lease, 0, message(0, {told(1, "receiving", {{"waited_s", 0.02}})}));
  ASSERT_EQ(log.current().size(), 1U);
  const CallRecord record = log.current()[0];
  EXPECT_EQ(record.number, 1);
  EXPECT_EQ(record.state, CallState::receiving);
  EXPECT_EQ(record.received_bytes(), 120);
  EXPECT_EQ(record.total_bytes(), 240);
  EXPECT_NEAR(record.client_s, 0.42, 1e-9);
}

TEST(CallLogTest, NoClientHasWaitedForLongerThanSinceItHasAsked) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  using Clock = std::chrono::steady_clock;
  for (const double waited_s : {1e308, -1e308, infinite, std::nan("")}) {
    CallLog log;
    const auto asked = Clock::now();
    const std::int64_t lease = *log.queue(origin());
    log.open(lease, 1);
    log.take(lease, 0, message(1, {told(1, "done", {{"waited_s", waited_s}})}));
    const double seconds = std::chrono::duration<double>(Clock::now() - asked).count();
    const double client_s = log.past(1).at(0).client_s;
    EXPECT_GE(client_s, 0.4 - 1e-9) << waited_s;
    EXPECT_LE(client_s, 0.5 + seconds) << waited_s;
  }
}

TEST(CallLogTest, AUserHasSoManyLeases) {
  CallLog log;
  CallOrigin of_bob = origin();
  of_bob.user = "bob";
  const std::int64_t first = *log.queue(origin(), 2);
  log.open(first, 1);
  EXPECT_TRUE(log.queue({"linpack", "", "ann", "127.0.0.1", 4}, 2));
  EXPECT_FALSE(log.queue(origin(), 2));
  EXPECT_TRUE(log.queue(of_bob, 2));
  EXPECT_EQ(log.leases_count("ann"), 2);
  log.close(first, CallState::done);
  EXPECT_TRUE(log.queue(origin(), 2));
}

TEST(CallLogTest, ACallEndsWhenAllRanksHaveSaidSo) {
  std::vector<CallRecord> ended;
  CallLog log(10, [&](const CallRecord& record) { ended.push_back(record); });
  const std::int64_t lease = *log.queue(origin());
  log.open(lease, 2);
  log.take(lease, 0, message(1, {told(1, "done")}));
  EXPECT_TRUE(ended.empty());
  log.take(lease, 1, message(1, {told(1, "done", {{"is_in_memory", true}})}));
  ASSERT_EQ(ended.size(), 1U);
  EXPECT_EQ(ended[0].state, CallState::done);
  EXPECT_EQ(ended[0].origin.mode, "memory");
  EXPECT_TRUE(log.current().empty());
  log.close(lease, CallState::done);
  EXPECT_EQ(log.past(5).size(), 1U);
  const auto totals = log.totals();
  EXPECT_EQ(totals.at({"linpack", "solve"}).count(CallState::done), 1);
  EXPECT_EQ(totals.at({"linpack", "solve"}).compute.count(), 1);
}

TEST(CallLogTest, AStagedCallEndsWhenTheFrontEndHasSaidSo) {
  CallLog log;
  const std::int64_t lease = *log.queue(origin());
  log.open(lease, 1, true);
  log.set_front_end(lease, 1, {0.25, false});
  log.take(lease, 0, message(1, {told(1, "done")}));
  ASSERT_EQ(log.current().size(), 1U);
  EXPECT_EQ(log.current()[0].state, CallState::sending);
  EXPECT_EQ(log.current()[0].front_end_s, 0.25);
  log.set_front_end(lease, 1, {0.5, true});
  EXPECT_TRUE(log.current().empty());
  ASSERT_EQ(log.past(5).size(), 1U);
  EXPECT_EQ(log.past(5)[0].state, CallState::done);
  EXPECT_EQ(log.past(5)[0].front_end_s, 0.5);
}

TEST(CallLogTest, AStagedCallEndsWithItsLeaseWithWhatTheFrontEndHasSaidSoFar) {
  CallLog log;
  const std::int64_t lease = *log.queue(origin());
  log.open(lease, 1, true);
  log.take(lease, 0, message(1, {told(1, "done")}));
  log.set_front_end(lease, 1, {0.25, false});
  log.close(lease, CallState::done);
  log.set_front_end(lease, 1, {0.5, true});  // Too late.
  EXPECT_TRUE(log.current().empty());
  ASSERT_EQ(log.past(5).size(), 1U);
  EXPECT_EQ(log.past(5)[0].state, CallState::done);
  EXPECT_EQ(log.past(5)[0].front_end_s, 0.25);
}

TEST(CallLogTest, WhatTheFrontEndSaysOfCallsToldTogetherMakesNoOtherCall) {
  CallLog log;
  const std::int64_t lease = *log.queue(origin());
  log.open(lease, 1, true);
  json many = message(3, {told(1, "done")});
  many["others"] = json::array({others(2, 2, 2)});
  log.take(lease, 0, many);
  for (const std::int64_t call : {1, 2, 3}) log.set_front_end(lease, call, {0.5, true});
  EXPECT_TRUE(log.current().empty());
  log.close(lease, CallState::done);
  std::int64_t calls_count = 0;
  for (const CallRecord& one : log.past(5)) calls_count += one.calls_count;
  EXPECT_EQ(calls_count, 3);
}

TEST(CallLogTest, OfManyShortCallsSomeAreToldTogether) {
  CallLog log;
  const std::int64_t lease = *log.queue(origin());
  log.open(lease, 2);
  json many = message(500, {told(1, "done")});
  many["others"] = json::array({others(499, 499, 998)});
  log.take(lease, 0, many);
  log.take(lease, 1, message(500, {told(1, "done"), told(2, "done")}));
  const std::vector<CallRecord> past = log.past(9);
  ASSERT_EQ(past.size(), 2U);  // What rank 1 alone has told of call 2 is among the 499.
  EXPECT_EQ(past[0].calls_count + past[1].calls_count, 500);
  EXPECT_EQ(log.totals().at({"linpack", "solve"}).count(CallState::done), 500);
}

TEST(CallLogTest, CallsUnderWayEndAsTheirLease) {
  CallLog log;
  const std::int64_t lease = *log.queue(origin());
  log.open(lease, 2);
  log.take(lease, 0, message(1, {told(1, "done"), told(2, "computing")}));
  log.take(lease, 1, message(1, {told(1, "done"), told(2, "computing")}));
  log.close(lease, CallState::failed, "the process has ended");
  const std::vector<CallRecord> past = log.past(9);
  ASSERT_EQ(past.size(), 2U);
  EXPECT_EQ(past[0].state, CallState::failed);
  EXPECT_EQ(past[0].happened, "the process has ended");
  EXPECT_EQ(past[1].state, CallState::done);
  EXPECT_TRUE(past[1].happened.empty());
}

TEST(CallLogTest, ACallOfWhichNoRankHasToldIsThereToo) {
  CallLog log;
  std::int64_t lease = *log.queue(origin());
  log.open(lease, 1);
  log.close(lease, CallState::failed, "the process has ended");
  EXPECT_EQ(log.past(1)[0].origin.routine, "solve");
  lease = *log.queue(origin());
  log.close(lease, CallState::cancelled, "the client has gone");
  EXPECT_EQ(log.past(1)[0].state, CallState::cancelled);
  lease = *log.queue(origin());
  log.open(lease, 1);
  log.close(lease, CallState::done);  // Nobody has called.
  EXPECT_EQ(log.past(9).size(), 2U);
  EXPECT_TRUE(log.current().empty());
}

TEST(CallLogTest, AFailureThatARankHasToldOfIsOneCall) {
  CallLog log;
  const std::int64_t lease = *log.queue(origin());
  log.open(lease, 1);
  log.take(lease, 0, message(1, {told(1, "failed", {{"happened", "singular"}})}));
  log.close(lease, CallState::failed, "singular");
  EXPECT_EQ(log.past(9).size(), 1U);
}

TEST(CallLogTest, WhatARankMayNotSayIsRefused) {
  CallLog log;
  const std::int64_t lease = *log.queue(origin());
  log.open(lease, 1);
  for (const json& wrong : {json::object(), json({{"calls", 1}}), message(1, {json(7)}),
                            message(1, {told(1, "flying")}), message(1, {told(0, "done")})}) {
    EXPECT_THROW(log.take(lease, 0, wrong), error);
  }
  log.take(lease + 1, 0, json::object());  // Of a lease that is over nothing is read.
}

TEST(CallLogTest, TheLastOnesAreKept) {
  CallLog log(2);
  const std::int64_t lease = *log.queue(origin());
  log.open(lease, 1);
  for (std::int64_t call = 1; call <= 4; ++call) {
    log.take(lease, 0, message(call, {told(call, "done")}));
  }
  const std::vector<CallRecord> past = log.past(9);
  ASSERT_EQ(past.size(), 2U);
  EXPECT_EQ(past[0].number, 4);
  EXPECT_EQ(past[1].number, 3);
}

TEST(CallLogTest, ARecordIsJson) {
  CallLog log;
  const std::int64_t lease = *log.queue(origin());
  log.open(lease, 1);
  log.take(lease, 0, message(1, {told(1, "failed", {{"happened", "singular"}})}));
  const json record = to_json(log.past(1).at(0));
  EXPECT_EQ(record["module"], "linpack");
  EXPECT_EQ(record["user"], "ann");
  EXPECT_EQ(record["state"], "failed");
  EXPECT_EQ(record["happened"], "singular");
  EXPECT_EQ(record["ranks"][0]["threads"], 2.0);
  EXPECT_EQ(record["bytes"]["received"], 60);
}

TEST(CallLogTest, ACallIsFoundWhileItWaitsAndWhileItIsUnderWay) {
  CallLog log;
  const std::int64_t lease = *log.queue(origin());
  const std::int64_t first = log.current()[0].number;
  ASSERT_TRUE(log.find(first));
  EXPECT_EQ(log.find(first)->lease, lease);
  EXPECT_EQ(log.find(first)->call, 1);
  EXPECT_EQ(log.find(first)->origin.user, "ann");
  EXPECT_FALSE(log.find(first + 1));
  log.open(lease, 1);
  log.take(lease, 0, message(1, {told(1, "done"), told(2, "computing")}));
  EXPECT_FALSE(log.find(first));
  ASSERT_TRUE(log.find(first + 1));
  EXPECT_EQ(log.find(first + 1)->call, 2);
  log.close(lease, CallState::done);
  EXPECT_FALSE(log.find(first + 1));
}

}  // namespace
}  // namespace tasuki::rpc
