#include "rpc/server/server_metrics.hpp"

#include <gtest/gtest.h>

#include <string>

#include "rpc/server/played_view.hpp"

namespace tasuki::rpc {
namespace {

class ServerMetricsTest : public PlayedView {
 protected:
  /// Is there a sample of that value?
  testing::AssertionResult has(const std::string& line) const {
    const std::string text = server_metrics(view_);
    if (text.find('\n' + line + '\n') != std::string::npos) return testing::AssertionSuccess();
    return testing::AssertionFailure() << "no " << line << " in\n" << text;
  }
};

TEST_F(ServerMetricsTest, CountCallsTheirTimeAndTheirBytesByRoutine) {
  call("ann", "done");
  call("ann", "computing");
  const std::string f = "module=\"m\",routine=\"f\",";
  EXPECT_TRUE(has("tasuki_calls_total{" + f + "outcome=\"done\"} 1"));
  EXPECT_TRUE(has("tasuki_calls_total{" + f + "outcome=\"failed\"} 0"));
  // It has computed for 0.2 s.
  EXPECT_TRUE(has("tasuki_call_seconds_bucket{" + f + "phase=\"compute\",le=\"0.1\"} 0"));
  EXPECT_TRUE(has("tasuki_call_seconds_bucket{" + f + "phase=\"compute\",le=\"1\"} 1"));
  EXPECT_TRUE(has("tasuki_call_seconds_bucket{" + f + "phase=\"compute\",le=\"+Inf\"} 1"));
  EXPECT_TRUE(has("tasuki_call_seconds_sum{" + f + "phase=\"compute\"} 0.2"));
  EXPECT_TRUE(has("tasuki_call_seconds_count{" + f + "phase=\"compute\"} 1"));
  EXPECT_TRUE(has("tasuki_call_bytes_total{" + f + "direction=\"in\"} 60"));
  EXPECT_TRUE(has("tasuki_call_bytes_total{" + f + "direction=\"out\"} 5"));
}

TEST_F(ServerMetricsTest, ACallThatWaitsForRanksIsNotRunning) {
  EXPECT_TRUE(has("tasuki_calls_running 0"));
  const std::int64_t running = call("ann", "computing");
  log_.queue({"m", "f", "ann"});
  EXPECT_TRUE(has("tasuki_calls_running 1"));
  log_.close(running, CallState::cancelled, "");
  EXPECT_TRUE(has("tasuki_calls_running 0"));
  EXPECT_TRUE(has("tasuki_calls_total{module=\"m\",routine=\"f\",outcome=\"cancelled\"} 1"));
}

TEST_F(ServerMetricsTest, EachPoolHasRanksOfItsOwn) {
  const RankGroup second = modules_.offered().groups.at(1);
  second->start();
  const JoinedRank rank(second);
  second->await_start();
  EXPECT_TRUE(has("tasuki_ranks{module=\"m\",pool=\"0\"} 0"));
  EXPECT_TRUE(has("tasuki_ranks{module=\"m\",pool=\"1\"} 1"));
  EXPECT_TRUE(has("tasuki_ranks_wanted{module=\"m\",pool=\"0\"} 1"));
  EXPECT_TRUE(has("tasuki_queue_length{module=\"m\",pool=\"1\"} 0"));
  modules_.end();
}

}  // namespace
}  // namespace tasuki::rpc
