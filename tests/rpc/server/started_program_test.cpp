#include "rpc/server/started_program.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>

#include "rpc/wire/happened.hpp"
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
    while (!started_.knows_why({})) std::this_thread::yield();
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

TEST_F(StartedProgramTest, ASilentRankOfTheFrontEndsOwnHostIsToldWithoutIt) {
  started_.start();
  started_.join(0, connection(), {{"port", 7}, {"host", "a"}});
  const LeaseFault fault = started_.fault_of_silence(0, RankPulse(4, 2), 4);
  EXPECT_EQ(fault.operation, "call m on rank 0");
  EXPECT_EQ(fault.happened.find("host a"), std::string::npos);
}

TEST_F(StartedProgramTest, AProcessThatIsNoneOfTheRanksIsRefusedAndWhoWaitsIsTold) {
  started_.start();
  EXPECT_EQ(refusal({{"rank", 0}, {"ranks", 2}, {"signature", "signature"}}), "");
  EXPECT_EQ(refusal({{"rank", 1}, {"ranks", 2}}), "");  // It knows none.
  EXPECT_EQ(fault(), "");
  EXPECT_EQ(refusal({{"rank", 0}, {"ranks", 2}, {"signature", "other"}}),
            "its program was built for another interface than the server offers");
  EXPECT_EQ(fault(), "its program was built for another interface than the server offers");
  for (const int rank : {-1, 2}) EXPECT_NE(refusal({{"rank", rank}, {"ranks", 2}}), "") << rank;
  EXPECT_EQ(refusal({{"rank", 0}, {"ranks", 3}}),
            "rank 0 of 3 has joined, and the module has 2 ranks");
  const json alone = {{"happened", "srun has started 2 ranks"}, {"remedy", "use --mpi=pmix"}};
  EXPECT_EQ(refusal({{"rank", 0}, {"ranks", 1}, {"alone", alone}}), "srun has started 2 ranks");
  EXPECT_EQ(refusal({{"rank", 0}, {"ranks", 2}, {"alone", alone}}), "");  // It may be so.
  testing::internal::CaptureStderr();
  started_.end("they have failed");
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "tasuki: module m: its ranks have to end: they have failed\n");
  started_.start();
  EXPECT_EQ(fault(), "");  // Of the program before.
}

}  // namespace
}  // namespace tasuki::rpc
