#include "rpc/server/lease_state.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "rpc/wire/protocol.hpp"

namespace tasuki::rpc {
namespace {

nlohmann::json held(std::int64_t calls) { return {{"message", "held"}, {"calls", calls}}; }
nlohmann::json ended(std::int64_t calls, const char* said = "digest") {
  return {{"message", "ended"}, {"calls", calls}, {"said", said}};
}

TEST(LeaseStateTest, TheRanksEndAfterTheLastCallThatAnyOfThemHasBegun) {
  LeaseState state(7, 3);
  EXPECT_EQ(state.number(), 7);
  state.take(0, held(4));
  state.take(2, held(5));
  EXPECT_FALSE(state.is_counted());
  state.take(1, held(4));
  EXPECT_TRUE(state.is_counted());
  EXPECT_EQ(state.last_call(), 5);
  for (int rank = 0; rank < 3; ++rank) {
    EXPECT_FALSE(state.is_over());
    state.take(rank, ended(5));
    EXPECT_TRUE(state.has_ended(rank));
  }
  EXPECT_TRUE(state.is_over());
  EXPECT_FALSE(state.fault());
}

TEST(LeaseStateTest, ARankThatEndsWithoutBeingAskedCountsToo) {
  LeaseState state(1, 2);
  state.take(0, ended(3));
  state.take(1, held(3));
  EXPECT_TRUE(state.is_counted());
  EXPECT_FALSE(state.is_over());
}

TEST(LeaseStateTest, ACallThatOnlySomeRanksHaveBegunIsAFault) {
  LeaseState state(1, 2);
  state.take(0, ended(2));
  EXPECT_FALSE(state.fault());
  state.take(1, ended(1));
  ASSERT_TRUE(state.fault());
  EXPECT_EQ(state.fault()->operation, "call on rank 1");
}

nlohmann::json refused(std::int64_t calls) {
  nlohmann::json message = ended(calls);
  message.update({{"happened", "no such routine"}, {"remedy", "r"}, {"has_refused", true}});
  return message;
}

TEST(LeaseStateTest, ACallThatNoRankHasBegunSpoilsNothing) {
  nlohmann::json gone = ended(1);
  gone.update({{"happened", "the client has gone"}, {"remedy", "r"}, {"has_client_gone", true}});
  // The other rank has refused it, too, or not heard of it.
  for (const nlohmann::json& other : {refused(2), ended(1), gone}) {
    LeaseState state(1, 2);
    state.take(0, refused(2));
    EXPECT_FALSE(state.fault());  // The other one may have begun it.
    state.take(1, other);
    ASSERT_TRUE(state.fault());
    EXPECT_EQ(state.fault()->happened, "no such routine");
    EXPECT_FALSE(state.fault()->spoils_ranks);
  }
}

nlohmann::json broken_off(std::int64_t calls) {
  nlohmann::json message = ended(calls);
  message.update({{"happened", "the client is gone"}, {"remedy", "r"}, {"is_broken_off", true}});
  return message;
}

TEST(LeaseStateTest, ARankThatBreaksACallOffIsNotBlamedForWhatHasHappenedToAnother) {
  LeaseState killed(1, 2);
  killed.take(0, broken_off(2));
  EXPECT_FALSE(killed.fault());
  killed.fail({"call on rank 1", "the process has ended", "call again"});
  ASSERT_TRUE(killed.fault());
  EXPECT_EQ(killed.fault()->operation, "call on rank 1");
  // Nor is its call forgotten.
  for (const std::int64_t calls : {1, 2}) {
    LeaseState refuses(1, 2);
    refuses.take(0, broken_off(calls));
    refuses.take(1, refused(2));
    ASSERT_TRUE(refuses.fault());
    EXPECT_EQ(refuses.fault()->happened, "no such routine");
    EXPECT_TRUE(refuses.fault()->spoils_ranks);
  }
}

TEST(LeaseStateTest, ACallThatAClientBreaksOffIsAFault) {
  LeaseState by_all(1, 2);
  for (int rank = 0; rank < 2; ++rank) by_all.take(rank, broken_off(1));
  ASSERT_TRUE(by_all.fault());
  EXPECT_EQ(by_all.fault()->happened, "the client is gone");
  EXPECT_TRUE(by_all.fault()->spoils_ranks);
  LeaseState waits(1, 2);
  waits.take(1, broken_off(1));
  const auto now = LeaseState::Clock::now();
  waits.check_ended(now);
  EXPECT_FALSE(waits.fault());
  waits.check_ended(now + LeaseState::broken_off_wait + std::chrono::seconds(1));
  ASSERT_TRUE(waits.fault());
  EXPECT_EQ(waits.fault()->operation, "call on rank 1");
}

TEST(LeaseStateTest, NoRankWaitsForACallThatWasRefusedOnceTheClientHasGone) {
  LeaseState state(1, 2);
  state.take(0, held(2));
  EXPECT_FALSE(state.until(true));  // Not all ranks are counted.
  state.take(1, held(1));
  // The message of the call may be on its way to the other rank.
  EXPECT_EQ(state.until(true), nlohmann::json({{"message", "until"}, {"lease", 1}, {"calls", 2}}));
  EXPECT_FALSE(state.until(true));  // They know.
  state.take(0, refused(2));
  EXPECT_FALSE(state.until(false));
  EXPECT_EQ(state.until(true), nlohmann::json({{"message", "until"}, {"lease", 1}, {"calls", 1}}));
}

TEST(LeaseStateTest, ACallThatSomeRanksHaveBegunAndOthersRefusedIsAFault) {
  LeaseState state(1, 2);
  state.take(1, refused(2));
  state.take(0, ended(2));
  ASSERT_TRUE(state.fault());
  EXPECT_EQ(state.fault()->operation, "call on rank 1");
  EXPECT_TRUE(state.fault()->spoils_ranks);
  LeaseState waits(1, 2);
  waits.take(0, refused(2));
  const auto now = LeaseState::Clock::now();
  waits.check_ended(now);
  EXPECT_FALSE(waits.fault());
  waits.check_ended(now + LeaseState::refused_wait + std::chrono::seconds(1));
  ASSERT_TRUE(waits.fault());
  EXPECT_TRUE(waits.fault()->spoils_ranks);
  LeaseState differs(1, 2);  // In what was said before.
  nlohmann::json other = refused(2);
  other["said"] = "another digest";
  differs.take(0, refused(2));
  differs.take(1, other);
  ASSERT_TRUE(differs.fault());
  EXPECT_TRUE(differs.fault()->spoils_ranks);
}

TEST(LeaseStateTest, AClientThatDoesNotWaitForAllAnswersIsAFault) {
  LeaseState state(1, 2);
  state.take(0, held(7));
  EXPECT_FALSE(state.fault());
  state.take(1, held(5));
  ASSERT_TRUE(state.fault());
  EXPECT_EQ(state.fault()->happened, "the client has called some ranks more often than others");
}

TEST(LeaseStateTest, AClientThatTellsRanksDifferentThingsIsAFault) {
  LeaseState state(1, 3);
  for (int rank = 0; rank < 2; ++rank) state.take(rank, ended(2));
  EXPECT_FALSE(state.fault());
  state.take(2, ended(2, "another digest"));
  ASSERT_TRUE(state.fault());
  EXPECT_EQ(state.fault()->operation, "call on rank 2");
  EXPECT_EQ(state.fault()->happened, "the client has told this rank something else than rank 0");
}

TEST(LeaseStateTest, TheRanksAreAskedOnceAndOnceMoreIfNobodyWaitsForAFirstCall) {
  LeaseState state(1, 2);
  EXPECT_TRUE(state.hold(false));
  EXPECT_FALSE(state.hold(false));
  EXPECT_TRUE(state.hold(true));
  EXPECT_FALSE(state.hold(true));
  EXPECT_FALSE(state.hold(false));
}

TEST(LeaseStateTest, ARankThatDoesNotBeginToServeTheLeaseIsAFault) {
  using std::chrono::seconds;
  const auto now = LeaseState::Clock::now();
  LeaseState state(1, 2);
  state.check_held(now + seconds(1000), seconds(2));
  EXPECT_FALSE(state.fault());  // Nobody has asked.
  state.hold(false, now);
  state.hold(true, now + seconds(6));
  state.take(0, held(0));
  state.check_held(now + first_call_wait + seconds(2), seconds(2));
  EXPECT_FALSE(state.fault());
  state.check_held(now + first_call_wait + seconds(3), seconds(2));
  ASSERT_TRUE(state.fault());
  EXPECT_EQ(state.fault()->operation, "call on rank 1");
  EXPECT_NE(state.fault()->happened.find("for 8 s"), std::string::npos);
  EXPECT_NE(state.fault()->remedy.find("--rank-timeout"), std::string::npos);
  LeaseState counted(1, 1);
  counted.hold(false, now);
  counted.take(0, held(0));
  counted.check_held(now + seconds(1000), seconds(2));
  EXPECT_FALSE(counted.fault());
}

TEST(LeaseStateTest, TheFirstFaultIsKept) {
  LeaseState state(1, 2);
  nlohmann::json message = ended(1);
  message["happened"] = "no memory";
  message["remedy"] = "use more ranks";
  state.take(1, message);
  state.fail({"call", "the process has ended", "call again"});
  ASSERT_TRUE(state.fault());
  EXPECT_EQ(state.fault()->happened, "no memory");
}

}  // namespace
}  // namespace tasuki::rpc
