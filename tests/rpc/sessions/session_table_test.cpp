#include "rpc/sessions/session_table.hpp"

#include <gtest/gtest.h>

#include <any>
#include <array>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <tasuki/error.hpp>
#include <thread>

namespace tasuki::rpc {
namespace {

/// Work that ends when the test says so, or when it is cancelled.
class Gate {
 public:
  SessionWork work() {
    const auto opened = std::make_shared<std::shared_future<void>>(opened_.get_future());
    return {[opened](int) { opened->get(); },
            [this] { fail(std::make_exception_ptr(std::runtime_error("ended"))); }};
  }
  void open() { opened_.set_value(); }
  void fail(std::exception_ptr fault) { opened_.set_exception(std::move(fault)); }

 private:
  std::promise<void> opened_;
};

SessionWork at_once() {
  return {[](int) {}, [] {}};
}

SessionWork failing(const char* text) {
  return {[text](int) { throw std::runtime_error(text); }, [] {}};
}

std::string failure(const SessionTable& table, int session) {
  try {
    if (const auto fault = table.failure_of(session)) std::rethrow_exception(fault);
  } catch (const std::exception& fault) {
    return fault.what();
  }
  return "";
}

TEST(SessionTableTest, SessionsAreNumberedFromOne) {
  SessionTable table;
  EXPECT_FALSE(table.has(1));
  EXPECT_EQ(table.begin(at_once()), 1);
  EXPECT_EQ(table.begin(at_once()), 2);
  EXPECT_TRUE(table.has(2));
  EXPECT_FALSE(table.has(0));
  EXPECT_FALSE(table.has(3));
}

TEST(SessionTableTest, AWaitForAllReturnsThoseThatFailed) {
  SessionTable table;
  const std::array sessions = {table.begin(at_once()), table.begin(failing("no")),
                               table.begin(at_once())};
  EXPECT_EQ(table.wait_for_all(sessions), std::vector<int>{2});
  EXPECT_EQ(table.wait_for_all(sessions), std::vector<int>{2});  // As often as one likes.
  EXPECT_EQ(failure(table, 1), "");
  EXPECT_EQ(failure(table, 2), "no");
  EXPECT_TRUE(table.wait_for_all().empty());  // Nobody has waited for: none is left.
}

TEST(SessionTableTest, AWaitForOneTellsEachOnce) {
  SessionTable table;
  Gate first;
  table.begin(first.work());
  const int second = table.begin(at_once());
  EXPECT_EQ(table.wait_for_one(), second);
  EXPECT_FALSE(table.has_ended(1));
  const std::array both = {1, second};
  EXPECT_FALSE(table.ended_one(both));
  std::thread opener([&] { first.open(); });
  EXPECT_EQ(table.wait_for_one(both), 1);
  opener.join();
  EXPECT_FALSE(table.wait_for_one(both));
  EXPECT_FALSE(table.wait_for_one());
  EXPECT_TRUE(table.has_ended(1));
}

TEST(SessionTableTest, OneThatHasEndedIsFoundWithoutWaiting) {
  SessionTable table;
  const int session = table.begin(failing("no"));
  while (!table.has_ended(session)) std::this_thread::yield();
  const std::array all = {session};
  EXPECT_EQ(table.ended_one(all), session);
  EXPECT_EQ(table.ended_one(all), session);
  EXPECT_EQ(table.wait_for_one(all), session);
  EXPECT_FALSE(table.ended_one(all));
}

TEST(SessionTableTest, SeveralThreadsMayWaitForOneSession) {
  SessionTable table;
  Gate gate;
  const std::array session = {table.begin(gate.work())};
  std::vector<std::future<std::size_t>> failed_counts;
  for (int i = 0; i < 4; ++i) {
    failed_counts.push_back(
        std::async(std::launch::async, [&] { return table.wait_for_all(session).size(); }));
  }
  auto either = std::async(std::launch::async, [&] { return table.wait_for_one(session); });
  gate.open();
  for (auto& one : failed_counts) EXPECT_EQ(one.get(), 0U);
  EXPECT_TRUE(either.get().value_or(1) == 1);
}

TEST(SessionTableTest, ACancelledSessionFailsAsItsWorkSays) {
  SessionTable table;
  Gate first, second;
  table.begin(first.work());
  table.begin(second.work());
  const int done = table.begin(at_once());
  table.cancel(1);
  table.cancel(1);  // Again, or after its end, does nothing.
  EXPECT_EQ(table.wait_for_all(std::array{1}).size(), 1U);
  EXPECT_EQ(failure(table, 1), "ended");
  EXPECT_TRUE(table.wait_for_all(std::array{done}).empty());
  table.cancel_all();
  EXPECT_EQ(table.wait_for_one(), 2);
  EXPECT_EQ(failure(table, 2), "ended");
}

TEST(SessionTableTest, TheEndOfTheTableCancelsWhatGoesOn) {
  Gate gate;
  SessionTable table;
  table.begin(gate.work());
}

TEST(SessionTableTest, WhatTheWorkHoldsIsFreeBeforeTheEndIsTold) {
  SessionTable table;
  auto held = std::make_shared<int>();
  const int session = table.begin({[held](int) {}, [held] {}});
  while (!table.has_ended(session)) std::this_thread::yield();
  EXPECT_EQ(held.use_count(), 1);
}

TEST(SessionTableTest, WorkGetsTheNumberOfItsSession) {
  SessionTable table;
  std::promise<int> told;
  const int session = table.begin({[&](int number) { told.set_value(number); }, [] {}});
  EXPECT_EQ(told.get_future().get(), session);
}

TEST(SessionTableTest, ASessionHasAnOwnerUntilItHasEndedWellAndWasAwaited) {
  SessionTable table;
  int owner = 0;
  const std::array sessions = {table.begin(at_once(), &owner), table.begin(failing("no"), &owner)};
  EXPECT_EQ(std::any_cast<int*>(table.owner_of(sessions[0])), &owner);
  table.wait_for_all();
  EXPECT_FALSE(table.owner_of(sessions[0]).has_value());
  EXPECT_EQ(std::any_cast<int*>(table.owner_of(sessions[1])), &owner);
}

}  // namespace
}  // namespace tasuki::rpc
