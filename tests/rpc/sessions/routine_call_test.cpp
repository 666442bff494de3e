#include "rpc/sessions/routine_call.hpp"

#include <gtest/gtest.h>

#include <future>
#include <map>
#include <string>
#include <tasuki/error.hpp>
#include <utility>
#include <vector>

#include "rpc/sessions/small_server.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

/// The call of m/f with n = 7.
RoutineCall call_of(ClientPool& pool, const std::string& url) {
  ClientPool::Taken client = pool.take(url);
  const FoundRoutine found = find_routine(client->modules(), "m/f");
  CallArguments arguments;
  arguments.scalars["n"] = 7;
  return {std::move(client), found, std::move(arguments)};
}

TEST(RoutineCallTest, ReturnsOnceTheRankHasAnswered) {
  const SmallServer* known = nullptr;
  std::promise<json> called;
  SmallServer server([&](const json& message) -> std::optional<json> {
    if (message["message"] == "lease") return known->leased();
    if (message["message"] != "call") return {};
    called.set_value(message);
    return SmallServer::results();
  });
  known = &server;
  ClientPool pool({TransferMode::hand_off, WireFormat::native});
  const CallReport report = call_of(pool, server.url())();
  EXPECT_EQ(report.computation_s(), 0.5);
  const json message = called.get_future().get();
  EXPECT_EQ(message["routine"], "f");
  EXPECT_EQ(message["scalars"], json({{"n", 7}}));
}

TEST(RoutineCallTest, ASessionGivesItsReportAway) {
  const SmallServer* known = nullptr;
  SmallServer server([&](const json& message) -> std::optional<json> {
    return message["message"] == "lease" ? known->leased() : SmallServer::results();
  });
  known = &server;
  ClientPool pool({TransferMode::hand_off, WireFormat::native});
  std::map<int, CallReport> reports;
  const SessionWork work = RoutineCall::in_session(
      call_of(pool, server.url()),
      [&](int session, CallReport report) { reports[session] = std::move(report); });
  work.run(7);
  EXPECT_EQ(reports.at(7).computation_s(), 0.5);
}

TEST(RoutineCallTest, WhatTheServerRefusesIsItsError) {
  SmallServer server([](const json&) -> std::optional<json> {
    return {{{"message", "refused"},
             {"operation", "call m"},
             {"happened", "its queue is full"},
             {"remedy", "call again later"}}};
  });
  ClientPool pool;
  const RoutineCall call = call_of(pool, server.url());
  try {
    call();
    FAIL() << "it was served";
  } catch (const ConnectionLost&) {
    FAIL() << "the connection is there";
  } catch (const error& fault) {
    EXPECT_EQ(fault.happened(), "its queue is full; the call has not run");
  }
}

TEST(RoutineCallTest, AConnectionThatEndsDuringACallIsNamed) {
  SmallServer server([](const json&) -> std::optional<json> { return {}; });
  ClientPool pool;
  const RoutineCall call = call_of(pool, server.url());
  EXPECT_THROW(call(), ConnectionLost);
}

TEST(RoutineCallTest, ASessionHasTheClientUntilItIsDoneAndCanBeCancelled) {
  std::promise<void> asked;
  SmallServer server([&](const json&) -> std::optional<json> {
    asked.set_value();
    return json();  // Never answers.
  });
  ClientPool pool;
  SessionWork work = RoutineCall::in_session(call_of(pool, server.url()));
  auto running = std::async(std::launch::async, [&work] { work.run(1); });
  asked.get_future().get();
  const ClientPool::Taken another = pool.take(server.url());
  EXPECT_EQ(server.connections_count(), 2);
  work.cancel();
  EXPECT_THROW(running.get(), error);
}

}  // namespace
}  // namespace tasuki::rpc
