#include "rpc/server/started_program.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "rpc/wire/happened.hpp"
#include "rpc/wire/silenced.hpp"
#include "rpc/wire/transfers.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

/// A program of two ranks, which the test plays.
class StartedProgramTest : public testing::Test {
 protected:
  std::string refusal(const json& join) {
    return happened_in([&] { started_.check_join(join); });
  }
  std::string fault() {
    return happened_in([&] { started_.check_joins(); });
  }
  std::shared_ptr<Socket> connection() {
    ends_.push_back(connected());
    return std::make_shared<Socket>(std::move(ends_.back().first));
  }

  const RoutineProgram program_{
      .command = {"sleep", "1000"}, .ranks = 2, .key = "key", .signature = "signature"};
  StartedProgram started_{program_, "m"};
  std::vector<std::pair<Socket, Socket>> ends_;
};

TEST_F(StartedProgramTest, ItIsToBeStartedUntilItRunsAndOnceItHasFailed) {
  EXPECT_TRUE(started_.must_restart());
  started_.start();
  EXPECT_FALSE(started_.must_restart());
  EXPECT_EQ(fault(), "");
  started_.join(0, connection(), {{"port", 7}});
  EXPECT_TRUE(started_.members().has_joined(0));
  EXPECT_FALSE(started_.members().have_all_joined());
  EXPECT_TRUE(started_.lose(0));
  EXPECT_FALSE(started_.lose(0));  // It is not the first fault.
  EXPECT_FALSE(started_.members().has_joined(0));
  EXPECT_TRUE(started_.must_restart());
  EXPECT_EQ(fault(), "its program has ended before all its ranks have joined");
  started_.end("they have failed");
  EXPECT_TRUE(started_.has_ended());
  started_.start();
  EXPECT_EQ(fault(), "");
}

/// A program whose launcher prints something, and then ends because a host has vanished.
class LostRanksTest : public testing::Test {
 protected:
  LostRanksTest() { testing::internal::CaptureStderr(); }
  ~LostRanksTest() override {
    started_.end("");
    testing::internal::GetCapturedStderr();
  }

  /// Returns: the fault where it has printed that and the first rank is lost.
  LeaseFault fault_after(const std::string& printed) {
    program_.command = {"sh", "-c", "echo '" + printed + "' >&2; exit 73"};
    started_.start();
    auto [near, far] = connected();
    started_.join(0, std::make_shared<Socket>(std::move(near)), {{"port", 7}});
    EXPECT_TRUE(started_.lose(0));
    while (!started_.knows_why({})) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return started_.fault_of_loss();
  }

  RoutineProgram program_{.command = {}, .ranks = 2};
  StartedProgram started_{program_, "m"};
};

TEST_F(LostRanksTest, VanishedHostsAreToldAsTheLauncherHasToldThem) {
  const LeaseFault fault = fault_after("tasuki: host b with rank 1 cannot be reached any more:");
  EXPECT_EQ(fault.operation, "call m");
  EXPECT_EQ(fault.happened, "host b with rank 1 cannot be reached any more");
}

TEST_F(LostRanksTest, WhatOneProgramHasToldOfHostsIsForgottenByTheNext) {
  fault_after("tasuki: host b with rank 1 cannot be reached any more:");
  started_.end("");
  const LeaseFault fault = fault_after("tasuki: host b with rank 1 ended");
  EXPECT_EQ(fault.operation, "call m on rank 0");
  EXPECT_EQ(fault.happened, "the process has ended during the call, by exit code 73");
}

/// A program on three hosts: rank 0 on the front end's own, 1 on host b, and 2 and 3 on host c.
class RanksOnHostsTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!prepare_silence()) GTEST_SKIP() << "needs filters of sockets or networks of its own";
    started_.start();
    pulse_.begin(now_);
    for (const char* host : {"", "b", "c", "c"}) {
      auto [near, far] = connected_by_tcp();
      started_.join(static_cast<int>(far_ends_.size()), std::make_shared<Socket>(std::move(near)),
                    {{"port", 7}, {"host", host}});
      far_ends_.push_back(std::move(far));
    }
  }
  ~RanksOnHostsTest() override {
    testing::internal::CaptureStderr();
    started_.end("");
    testing::internal::GetCapturedStderr();
  }

  /// Only these ranks say something until the others have been silent for too long.
  LeaseFault fault_where_there_are(const std::vector<int>& ranks) {
    while (!pulse_.silent_one()) {
      now_ += std::chrono::seconds(1);
      pulse_.whom_to_ask(now_);
      for (const int rank : ranks) pulse_.hear(rank);
    }
    return started_.fault_of_silence(pulse_, 6);
  }
  void vanish(const std::vector<int>& ranks) {
    for (const int rank : ranks) {
      ASSERT_TRUE(silence(far_ends_.at(static_cast<std::size_t>(rank))));
      send_until(
          [&] {
            started_.members().tell(rank, {{"message", "ask"}});
          },
          [&] { return started_.members().has_silent_host(rank); });
    }
  }

  const RoutineProgram program_{.command = {"sleep", "1000"}, .ranks = 4};
  StartedProgram started_{program_, "m"};
  std::vector<Socket> far_ends_;
  Pulse::Clock::time_point now_{std::chrono::hours(1)};
  Pulse pulse_{6, 4};
};

TEST_F(RanksOnHostsTest, ASilentRankWhoseHostHasOthersIsToldWithItsHost) {
  const LeaseFault fault = fault_where_there_are({0, 1, 3});
  EXPECT_EQ(fault.operation, "call m on rank 2");
  EXPECT_TRUE(fault.happened.starts_with("the rank on host c has not answered for 6 s"))
      << fault.happened;
}

TEST_F(RanksOnHostsTest, ASilentRankOfTheFrontEndsOwnHostIsToldWithoutIt) {
  const LeaseFault fault = fault_where_there_are({1, 2, 3});
  EXPECT_EQ(fault.operation, "call m on rank 0");
  EXPECT_TRUE(fault.happened.starts_with("the rank has not answered for 6 s")) << fault.happened;
}

TEST_F(RanksOnHostsTest, ASilentHostIsToldThoughTheFirstSilentRankIsOnAnother) {
  const LeaseFault fault = fault_where_there_are({1});
  EXPECT_TRUE(fault.happened.starts_with("host c with ranks 2-3 has not answered for 6 s"))
      << fault.happened;
}

TEST_F(RanksOnHostsTest, AllSilentHostsAreTold) {
  vanish({2, 3});
  const LeaseFault fault = fault_where_there_are({0});
  EXPECT_EQ(fault.happened,
            "host c with ranks 2-3 has vanished: there has been no sign of life from it for 6 s;"
            " host b with rank 1 has not answered for 6 s: its processes are stopped, or it is"
            " paused or too busy");
  EXPECT_EQ(fault.remedy.find("cut off"), std::string::npos);
}

TEST_F(RanksOnHostsTest, WhereAllOtherHostsHaveVanishedThisOneMayBeCutOff) {
  vanish({1, 2, 3});
  const LeaseFault fault = fault_where_there_are({0});
  EXPECT_TRUE(fault.happened.starts_with("host b with rank 1; host c with ranks 2-3 have vanished"))
      << fault.happened;
  EXPECT_NE(fault.remedy.find("which may be the one that is cut off"), std::string::npos);
}

TEST_F(RanksOnHostsTest, ALauncherThatIsStillBusyWithAVanishedHostLetsItBeTold) {
  vanish({1});
  EXPECT_TRUE(started_.lose(0));
  EXPECT_FALSE(started_.knows_why(std::chrono::seconds(9)));
  EXPECT_TRUE(started_.knows_why(std::chrono::seconds(10)));
  EXPECT_EQ(started_.fault_of_loss().happened,
            "host b with rank 1 has vanished: there has been no sign of life from it for 10 s");
}

TEST_F(RanksOnHostsTest, ALauncherMayAskTheHostsOnceAllRanksHaveEnded) {
  for (int rank = 0; rank < 4; ++rank) started_.lose(rank);
  EXPECT_FALSE(started_.knows_why(std::chrono::seconds(30)));
  EXPECT_TRUE(started_.knows_why(std::chrono::seconds(40)));
  EXPECT_EQ(started_.fault_of_loss().happened, "the process has ended during the call");
}

TEST_F(StartedProgramTest, RanksOfOneHostHaveNoHostsToAskFor) {
  started_.start();
  started_.join(0, connection(), {{"port", 7}});
  EXPECT_TRUE(started_.lose(0));
  EXPECT_TRUE(started_.knows_why(std::chrono::seconds(10)));
}

TEST_F(StartedProgramTest, WhatCannotBeAHostsNameIsNotPrinted) {
  for (const std::string& host : {std::string("b\ntasuki: forged"), std::string(256, 'b')}) {
    started_.join(0, connection(), {{"port", 7}, {"host", host}});
    EXPECT_EQ(started_.members().host_of(0), "");
  }
  started_.join(0, connection(), {{"port", 7}, {"host", "b"}});
  EXPECT_EQ(started_.members().host_of(0), "b");
}

TEST_F(StartedProgramTest, WhoWaitsIsToldOfAProcessThatTellsSomethingOfAWrongType) {
  const json join = {{"rank", 0}, {"ranks", 2}, {"port", 7}};
  for (const char* name : {"port", "host", "alone"}) {
    json wrong = join;
    wrong[name] = json::array();
    const std::string refused = refusal(wrong);
    EXPECT_NE(refused.find(name == std::string("alone") ? "happened" : name), std::string::npos)
        << refused;
    EXPECT_EQ(fault(), refused);
    testing::internal::CaptureStderr();
    started_.end("");
    testing::internal::GetCapturedStderr();
  }
}

TEST_F(StartedProgramTest, AProcessThatIsNoneOfTheRanksIsRefusedAndWhoWaitsIsTold) {
  started_.start();
  EXPECT_EQ(refusal({{"rank", 0}, {"ranks", 2}, {"port", 7}, {"signature", "signature"}}), "");
  EXPECT_EQ(refusal({{"rank", 1}, {"ranks", 2}, {"port", 7}}), "");  // It knows none.
  EXPECT_EQ(fault(), "");
  EXPECT_EQ(refusal({{"rank", 0}, {"ranks", 2}, {"port", 7}, {"signature", "other"}}),
            "its program was built for another interface than the server offers");
  EXPECT_EQ(fault(), "its program was built for another interface than the server offers");
  for (const int rank : {-1, 2})
    EXPECT_NE(refusal({{"rank", rank}, {"ranks", 2}, {"port", 7}}), "") << rank;
  EXPECT_EQ(refusal({{"rank", 0}, {"ranks", 3}, {"port", 7}}),
            "rank 0 of 3 has joined, and the module has 2 ranks");
  const json alone = {{"happened", "srun has started 2 ranks"}, {"remedy", "use --mpi=pmix"}};
  EXPECT_EQ(refusal({{"rank", 0}, {"ranks", 1}, {"port", 7}, {"alone", alone}}),
            "srun has started 2 ranks");
  EXPECT_EQ(refusal({{"rank", 0}, {"ranks", 2}, {"port", 7}, {"alone", alone}}),
            "");  // It may be so.
  testing::internal::CaptureStderr();
  started_.end("they have failed");
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "tasuki: module m: its ranks have to end: they have failed\n");
  started_.start();
  EXPECT_EQ(fault(), "");  // Of the program before.
}

}  // namespace
}  // namespace tasuki::rpc
