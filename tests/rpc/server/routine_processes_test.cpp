#include "rpc/server/routine_processes.hpp"

#include <gtest/gtest.h>

#include <array>
#include <future>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "rpc/wire/frame.hpp"
#include "rpc/wire/named_error.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;
using Names = std::vector<std::string>;

constexpr Socket::Seconds patience{60};

/// The two ends of a connection.
struct Ends {
  std::shared_ptr<Socket> front_end;
  Socket peer;
};

Ends connect() {
  Listener listener({"127.0.0.1", 0});
  Socket peer = Socket::connect({"127.0.0.1", listener.port()}, patience);
  peer.set_timeout(patience);
  return {std::make_shared<Socket>(listener.accept(patience)), std::move(peer)};
}

/// What the kind of the error is that `work` throws; "" if it throws none.
template <class Work>
std::string kind_in(Work work) {
  try {
    work();
  } catch (const NamedError& fault) {
    return fault.kind();
  }
  return {};
}

/// One of which the test plays the rank.
RoutineProgram program(const ModuleLimits& limits) {
  RoutineProgram made;
  made.command = {"sleep", "1000"};
  made.key = "key";
  made.keep_limit_bytes = 9;
  made.limits = limits;
  return made;
}

/// A module of one rank, which the test plays.
class RoutineProcessesTest : public testing::Test {
 protected:
  explicit RoutineProcessesTest(const ModuleLimits& limits = {}) : limits_(limits) {
    processes_.start();
    serving_ = std::thread([this] {
      processes_.serve(rank_.front_end,
                       {{"message", "join"}, {"rank", 0}, {"ranks", 1}, {"port", 1}});
    });
    EXPECT_EQ(receive_frame(rank_.peer).at("message"), "joined");
    processes_.await_start();
  }
  ~RoutineProcessesTest() override {
    processes_.stop();
    processes_.end();
    serving_.join();
  }

  /// Leases the rank. Returns: the number.
  std::int64_t lease() {
    return processes_.lease(*client_.front_end, {origin_, std::make_shared<User>()}).at("lease");
  }
  /// The same, for a client whose rank this is now.
  std::int64_t taken_lease() {
    const std::int64_t number = lease();
    EXPECT_EQ(receive_frame(rank_.peer).at("lease"), number);
    return number;
  }
  std::future<bool> cancel(std::int64_t number, std::int64_t call) {
    return std::async(std::launch::async, [=, this] {
      return processes_.cancel({origin_, number, call}, "ann");
    });
  }
  void hear(const char* kind) { EXPECT_EQ(receive_frame(rank_.peer).at("message"), kind); }
  void say(const char* kind, std::int64_t number, std::int64_t calls) {
    send_frame(rank_.peer,
               {{"message", kind}, {"lease", number}, {"calls", calls}, {"said", "digest"}});
  }
  /// The rank is asked to end the lease, in which so many calls have begun.
  void hold(std::int64_t number, std::int64_t calls) {
    hear("hold");
    say("held", number, calls);
    hear("until");
  }

  /// Something that a call has left.
  void keep(const char* name) {
    kept_.take(
        "key", origin_,
        {{"kept",
          {{{"name", name}, {"is_object", false}, {"bytes", 8}, {"about", json::object()}}}}});
  }

  const ModuleLimits limits_;
  const CallOrigin origin_ = {"linpack", "solve"};
  CallLog log_;
  KeptTable kept_;
  RoutineProcesses processes_{module_from_json({{"interface", 1},
                                                {"module", "linpack"},
                                                {"routines", json::array()},
                                                {"classes", json::array()}}),
                              program(limits_), log_, kept_};
  Ends rank_ = connect();
  Ends client_ = connect();
  std::thread serving_;
};

TEST_F(RoutineProcessesTest, ACallUnderWayIsCancelledAndItsClientIsTold) {
  const std::int64_t number = taken_lease();
  std::future<bool> is_cancelled = cancel(number, 1);
  hold(number, 1);
  EXPECT_TRUE(is_cancelled.get());
  const LeaseOutcome outcome = processes_.settle(number);
  ASSERT_TRUE(outcome.fault);
  EXPECT_EQ(outcome.fault->kind, cancelled_kind);
  EXPECT_EQ(outcome.fault->happened, "it was cancelled by ann");
  EXPECT_EQ(log_.past(1).at(0).state, CallState::cancelled);
}

TEST_F(RoutineProcessesTest, ACallThatIsRefusedBeforeItsRoutineLeavesTheRankAsItIs) {
  const std::int64_t number = taken_lease();
  send_frame(rank_.peer, {{"message", "ended"},
                          {"lease", number},
                          {"calls", 1},
                          {"said", "digest"},
                          {"happened", "there is no such routine"},
                          {"remedy", "choose another"},
                          {"has_refused", true}});
  while (processes_.state().lease) std::this_thread::yield();
  ASSERT_TRUE(processes_.state().has_joined.at(0));
  const LeaseOutcome outcome = processes_.settle(number);
  ASSERT_TRUE(outcome.fault);
  EXPECT_EQ(outcome.fault->happened, "there is no such routine");
  EXPECT_EQ(log_.past(1).at(0).state, CallState::failed);
  EXPECT_GT(taken_lease(), number);
}

TEST_F(RoutineProcessesTest, ACallThatHasJustEndedIsNotCancelled) {
  const std::int64_t number = taken_lease();
  std::future<bool> is_cancelled = cancel(number, 1);
  hear("hold");
  say("ended", number, 1);
  EXPECT_FALSE(is_cancelled.get());
  EXPECT_FALSE(processes_.settle(number).fault);
}

TEST_F(RoutineProcessesTest, TheNextCallOfTheClientGoesOn) {
  const std::int64_t number = taken_lease();
  std::future<bool> is_cancelled = cancel(number, 1);
  hold(number, 2);
  EXPECT_FALSE(is_cancelled.get());  // While the second one is under way.
  say("ended", number, 2);
  const LeaseOutcome outcome = processes_.settle(number);
  EXPECT_FALSE(outcome.fault);
  EXPECT_EQ(outcome.last_call, 2);
}

TEST_F(RoutineProcessesTest, ACallIsCancelledThatHasTheRanksAndHasNotBegun) {
  const std::int64_t number = taken_lease();
  std::future<bool> is_cancelled = cancel(number, 1);
  hold(number, 0);
  say("ended", number, 0);
  EXPECT_TRUE(is_cancelled.get());
  EXPECT_EQ(processes_.settle(number).fault.value().kind, cancelled_kind);
}

TEST_F(RoutineProcessesTest, ACallIsCancelledForWhichTheRankStillWaits) {
  const std::int64_t number = taken_lease();
  auto waiting = std::async(std::launch::async, [this] { return lease(); });
  EXPECT_FALSE(receive_frame(rank_.peer).at("has_client_gone").get<bool>());
  std::future<bool> is_cancelled = cancel(number, 1);
  // The rank, which has not answered, need not wait for the call any more.
  EXPECT_TRUE(receive_frame(rank_.peer).at("has_client_gone").get<bool>());
  say("held", number, 0);
  hear("until");
  say("ended", number, 0);
  EXPECT_TRUE(is_cancelled.get());
  EXPECT_EQ(processes_.settle(number).fault.value().kind, cancelled_kind);
  // No lease is left behind, and the rank, which has begun nothing, is still there.
  EXPECT_GT(waiting.get(), number);
  hear("lease");
}

TEST_F(RoutineProcessesTest, ACallThatWaitsIsCancelledWhileAnotherGoesOn) {
  const std::int64_t number = taken_lease();
  auto waiting = std::async(std::launch::async, [this] { return kind_in([this] { lease(); }); });
  hold(number, 1);  // For who waits.
  ASSERT_EQ(log_.current().size(), 2U);
  const CallPlace place = log_.find(log_.current().at(1).number).value();
  EXPECT_TRUE(processes_.cancel(place, "ann"));
  EXPECT_EQ(waiting.get(), cancelled_kind);
  EXPECT_EQ(log_.past(1).at(0).happened, "it was cancelled by ann");
  say("ended", number, 1);
  EXPECT_FALSE(processes_.settle(number).fault);
}

TEST_F(RoutineProcessesTest, AClientThatIsSlowBeforeItsCallHasBegunLeavesTheRankAsItIs) {
  const std::int64_t number = taken_lease();
  processes_.fail_slow_lease(number, false);
  const LeaseOutcome outcome = processes_.settle(number);
  ASSERT_TRUE(outcome.fault);
  EXPECT_NE(outcome.fault->remedy.find("--client-timeout"), std::string::npos);
  EXPECT_GT(taken_lease(), number);
}

TEST_F(RoutineProcessesTest, WhatIsNotThereIsNotCancelled) {
  EXPECT_FALSE(processes_.cancel({origin_, 7, 1}, "ann"));
}

TEST_F(RoutineProcessesTest, AUserWhoIsNoneAnyMoreGetsNoRanksWhenTheTurnComes) {
  const std::int64_t number = taken_lease();
  LeaseRequest request{origin_, std::make_shared<User>()};
  request.current_user = []() -> std::shared_ptr<const User> {
    throw NamedError(access_kind, "call", "unknown", "ask");
  };
  auto waiting = std::async(std::launch::async, [&] {
    return kind_in([&] { processes_.lease(*client_.front_end, request); });
  });
  hold(number, 1);  // For who waits.
  say("ended", number, 1);
  EXPECT_EQ(waiting.get(), access_kind);
  EXPECT_EQ(processes_.state().lease, 0);
  EXPECT_EQ(processes_.state().waiting_count, 0U);
  EXPECT_FALSE(processes_.settle(number).fault);
}

TEST_F(RoutineProcessesTest, TheLimitsAreThoseThatHoldWhenTheTurnComes) {
  LeaseRequest request{origin_, std::make_shared<User>()};
  request.current_user = [] {
    return std::make_shared<const User>(
        User{"ann", "", {.call_memory_bytes = 7, .kept_memory_bytes = 8}});
  };
  const json leased = processes_.lease(*client_.front_end, request);
  EXPECT_EQ(leased.at("call_most_bytes"), 7);
  EXPECT_EQ(leased.at("keep_limit_bytes"), 9);
  EXPECT_EQ(leased.at("kept_quota").at("most_bytes"), 8);
  EXPECT_EQ(receive_frame(rank_.peer).at("call_most_bytes"), 7);
}

TEST_F(RoutineProcessesTest, TheEndOfUsersEndsTheirTurnsWhileACallGoesOn) {
  const std::int64_t number = taken_lease();
  auto waiting = std::async(std::launch::async, [this] { return kind_in([this] { lease(); }); });
  hold(number, 1);  // For who waits.
  processes_.revoke(Users({User{"bob", "digest"}}));
  EXPECT_EQ(waiting.get(), access_kind);
  say("ended", number, 1);
  EXPECT_FALSE(processes_.settle(number).fault);
}

TEST_F(RoutineProcessesTest, OtherLimitsOfAUserEndTheLease) {
  const User before{"ann", "digest", {.calls_per_minute = 7}};
  const std::int64_t number =
      processes_.lease(*client_.front_end, {origin_, std::make_shared<User>(before)}).at("lease");
  hear("lease");
  processes_.revoke(Users({before}));
  EXPECT_EQ(processes_.state().lease, number);  // Nothing has changed.
  User now = before;
  now.limits.calls_per_minute = 3;
  const Users users({now});
  auto revoking = std::async(std::launch::async, [&] { processes_.revoke(users); });
  hold(number, 1);
  say("ended", number, 1);
  revoking.get();
  EXPECT_EQ(processes_.state().lease, 0);
}

TEST_F(RoutineProcessesTest, WhatIsKeptIsDiscardedBetweenLeases) {
  const std::int64_t number = taken_lease();
  keep("a");
  keep("b");
  auto freeing =
      std::async(std::launch::async, [this] { processes_.discard("a", "ann has freed it"); });
  hold(number, 1);
  say("ended", number, 1);
  const json told = receive_frame(rank_.peer);
  EXPECT_EQ(told.at("message"), "discard");
  EXPECT_EQ(told.at("names"), Names{"a"});
  EXPECT_EQ(told.at("happened"), "ann has freed it");
  freeing.get();
  EXPECT_EQ(kept_.bytes_of(""), 8);
  processes_.discard("a", "again");  // Nobody is told of what is not there.
  processes_.discard("b", "at once");
  EXPECT_EQ(receive_frame(rank_.peer).at("names"), Names{"b"});
}

TEST_F(RoutineProcessesTest, HousekeepingFreesWhatSomebodyHasAskedFor) {
  const std::int64_t number = taken_lease();
  for (const char* name : {"a", "b"}) {
    keep(name);
    processes_.begin_to_discard(name, "ann has freed it");  // Returns during the call.
  }
  auto keeping_house = std::async(std::launch::async, [this] { processes_.keep_house(); });
  hold(number, 1);
  keeping_house.get();
  say("ended", number, 1);
  EXPECT_FALSE(processes_.settle(number).fault);
  processes_.keep_house();
  json told = receive_frame(rank_.peer);
  // The rank may be asked to end the lease once more before the front end has heard that it has.
  while (told.at("message") != "discard") told = receive_frame(rank_.peer);
  EXPECT_EQ(told.at("names"), (Names{"a", "b"}));  // At once, as one thing has happened to them.
  EXPECT_EQ(told.at("happened"), "ann has freed it");
}

TEST_F(RoutineProcessesTest, WhatIsFreedForOneReasonIsToldInOneMessage) {
  const std::int64_t number = taken_lease();
  const std::map<const char*, const char*> wanted = {
      {"a", "ann has freed it"}, {"b", "bob has freed it"}, {"c", "ann has freed it"}};
  for (const auto& [name, happened] : wanted) {
    keep(name);
    processes_.begin_to_discard(name, happened);
  }
  auto settling = std::async(std::launch::async, [&] { return processes_.settle(number); });
  hold(number, 0);
  say("ended", number, 0);
  EXPECT_FALSE(settling.get().fault);
  processes_.keep_house();
  json told = receive_frame(rank_.peer);
  EXPECT_EQ(told.at("names"), (Names{"a", "c"}));
  told = receive_frame(rank_.peer);
  EXPECT_EQ(told.at("names"), Names{"b"});
  EXPECT_EQ(told.at("happened"), "bob has freed it");
}

TEST(JoiningTest, OfTwoProcessesThatJoinAsOneRankAtATimeOneIsRefused) {
  CallLog log;
  KeptTable kept;
  // Its message takes so long that the other process comes meanwhile.
  json interface = {{"interface", 1},
                    {"module", "linpack"},
                    {"routines", json::array()},
                    {"classes", json::array()},
                    {"padding", std::string(std::size_t{8} << 20, '.')}};
  RoutineProcesses processes(module_from_json(std::move(interface)), program({}), log, kept);
  processes.start();
  const json join = {{"message", "join"}, {"rank", 0}, {"ranks", 1}, {"port", 1}};
  std::multiset<std::string> answers;
  std::mutex mutex;
  {
    std::array<Ends, 2> ends = {connect(), connect()};
    std::vector<std::jthread> threads;
    for (Ends& one : ends) {
      threads.emplace_back([&] {
        try {
          processes.serve(one.front_end, join);
        } catch (const error&) {
          one.front_end->shut_down();
        }
      });
      threads.emplace_back([&] {
        const json answer = receive_frame(one.peer);
        const std::lock_guard guard(mutex);
        answers.insert(answer.at("message"));
        if (answers.size() < ends.size()) return;
        for (const Ends& other : ends) other.front_end->shut_down();
      });
    }
  }
  processes.stop();
  processes.end();
  EXPECT_EQ(answers, (std::multiset<std::string>{"joined", "refused"}));
}

/// What is kept there has expired at once.
class ExpiringTest : public RoutineProcessesTest {
 protected:
  ExpiringTest() : RoutineProcessesTest({.keep_most_s = 0}) {}
};

TEST_F(ExpiringTest, HousekeepingDoesNotWaitForALongCall) {
  const std::int64_t number = taken_lease();
  keep("a");
  auto keeping_house = std::async(std::launch::async, [this] { processes_.keep_house(); });
  hold(number, 1);
  // Other modules have their turn while the call goes on.
  const bool has_returned = keeping_house.wait_for(patience) == std::future_status::ready;
  say("ended", number, 1);
  EXPECT_TRUE(has_returned);
  EXPECT_FALSE(processes_.settle(number).fault);
  processes_.keep_house();
  json told = receive_frame(rank_.peer);
  // The rank may be asked to end the lease once more before the front end has heard that it has.
  while (told.at("message") != "discard") told = receive_frame(rank_.peer);
  EXPECT_EQ(told.at("names"), Names{"a"});
}

TEST_F(ExpiringTest, HousekeepingDoesNotWaitForARankThatSaysNothing) {
  const std::int64_t number = taken_lease();
  keep("a");
  auto keeping_house = std::async(std::launch::async, [this] { processes_.keep_house(); });
  hear("hold");
  EXPECT_EQ(keeping_house.wait_for(patience), std::future_status::ready);
  // The lease ends without anybody who waits for it.
  say("held", number, 1);
  while (receive_frame(rank_.peer).at("message") != "until") {
  }
  say("ended", number, 1);
  while (processes_.state().lease) std::this_thread::yield();
  EXPECT_FALSE(processes_.settle(number).fault);
}

/// Ranks have to answer in four seconds.
class SilentTest : public RoutineProcessesTest {
 protected:
  SilentTest() : RoutineProcessesTest({.rank_most_s = 4}) {}

  /// Until the rank is asked.
  void watch_until_asked() {
    auto hearing = std::async(std::launch::async, [this] { hear("ask"); });
    do {
      processes_.watch_calls();
    } while (hearing.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready);
  }
};

TEST_F(SilentTest, ARankThatDoesNotAnswerFailsTheLeaseForWhichOthersWait) {
  const std::int64_t number = taken_lease();
  auto waiting = std::async(std::launch::async, [this] { return kind_in([this] { lease(); }); });
  hear("hold");
  watch_until_asked();
  say("here", number, 0);
  watch_until_asked();  // It is asked again, as it has answered, and says nothing.
  while (processes_.state().lease == number) processes_.watch_calls();
  const LeaseOutcome outcome = processes_.settle(number);
  ASSERT_TRUE(outcome.fault);
  EXPECT_EQ(outcome.fault->operation, "call linpack on rank 0");
  EXPECT_NE(outcome.fault->happened.find("has not answered for 4 s"), std::string::npos);
  EXPECT_FALSE(processes_.state().has_joined.at(0));  // The program is started anew.
  processes_.stop();
  EXPECT_EQ(waiting.get(), draining_kind);
}

TEST_F(SilentTest, ARankThatHasEndedIsNotTakenForASilentOneWhileItsLauncherIsBusy) {
  const std::int64_t number = taken_lease();
  rank_.peer.shut_down();
  // Asks for the end of the lease, which the rank that has ended does not answer.
  auto settled = std::async(std::launch::async, [&] { return processes_.settle(number); });
  while (processes_.state().lease == number) {
    processes_.watch_calls();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  const LeaseOutcome outcome = settled.get();
  ASSERT_TRUE(outcome.fault);
  EXPECT_EQ(outcome.fault->happened, "the process has ended during the call");
}

TEST_F(SilentTest, ARankThatStillFreesWhatOthersHaveLeftFailsTheLeaseForWhichOthersWait) {
  const std::int64_t number = taken_lease();
  auto waiting = std::async(std::launch::async, [this] { return kind_in([this] { lease(); }); });
  hear("hold");
  // The thread that listens answers; the other one is in a method that does not end.
  auto answering = std::async(std::launch::async, [&] {
    while (true) {
      hear("ask");
      say("here", number, 0);
    }
  });
  while (processes_.state().lease == number) {
    processes_.watch_calls();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  const LeaseOutcome outcome = processes_.settle(number);
  ASSERT_TRUE(outcome.fault);
  EXPECT_NE(outcome.fault->happened.find("has not begun to serve the lease"), std::string::npos);
  EXPECT_FALSE(processes_.state().has_joined.at(0));  // The program is started anew.
  EXPECT_THROW(answering.get(), error);
  processes_.stop();
  EXPECT_EQ(waiting.get(), draining_kind);
}

}  // namespace
}  // namespace tasuki::rpc
