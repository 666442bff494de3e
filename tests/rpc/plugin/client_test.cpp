#include <gtest/gtest.h>
#include <tasuki/client.h>

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "rpc/plugin/routine_server.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

tasuki_argument argument_of(void* memory, const char* type) {
  tasuki_argument made{};
  made.memory = memory;
  made.type = type;
  return made;
}

json last_fault() { return json::parse(tasuki_client_error()); }

/// A client of a server with m/f(IN int32 n), by connections to the rank.
class ClientInCTest : public testing::Test {
 protected:
  ClientInCTest() : client_(tasuki_client_open(server_.url().c_str())) {
    EXPECT_NE(client_, nullptr) << tasuki_client_error_text();
    EXPECT_EQ(tasuki_client_set_mode(client_, "hand-off"), 0);
  }
  ~ClientInCTest() override { tasuki_client_close(client_); }

  const char* call(std::int32_t n) {
    const tasuki_argument argument = argument_of(&n, "int32");
    return tasuki_client_call_routine(client_, "m/f", &argument, 1);
  }

  RoutineServer server_;
  tasuki_client* client_;
};

TEST(ClientInCWithoutServerTest, IsNullAndSaysWhy) {
  EXPECT_EQ(tasuki_client_open("tasuki://127.0.0.1:1"), nullptr);
  EXPECT_NE(last_fault().at("happened").get<std::string>().find("127.0.0.1:1"), std::string::npos);
  EXPECT_EQ(tasuki_client_may_have_run(), 0);
  EXPECT_EQ(tasuki_client_open("no address"), nullptr);
  tasuki_client_close(nullptr);
}

TEST_F(ClientInCTest, TellsOfTheInterfacesOfItsServer) {
  EXPECT_EQ(json::parse(tasuki_client_interfaces(client_)).at(0).at("module"), "m");
  EXPECT_NE(std::string(tasuki_client_server(client_)).find("127.0.0.1"), std::string::npos);
  EXPECT_EQ(tasuki_client_is_connected(client_), 1);
}

TEST_F(ClientInCTest, ACallGivesItsReport) {
  const char* const report = call(7);
  ASSERT_NE(report, nullptr) << tasuki_client_error_text();
  EXPECT_EQ(json::parse(report).at("ranks").size(), 1U) << report;
  EXPECT_NE(tasuki_client_call(client_, "m", "f", R"({"n": 7})", nullptr, 0), nullptr);
}

TEST_F(ClientInCTest, TheReportOfTheLastCallIsThereAsAStructure) {
  EXPECT_EQ(tasuki_client_last_report(client_), nullptr);
  ASSERT_NE(call(7), nullptr) << tasuki_client_error_text();
  EXPECT_EQ(call(-7), nullptr);
  const tasuki_report* const report = tasuki_client_last_report(client_);
  ASSERT_NE(report, nullptr);
  EXPECT_STREQ(report->mode, "hand-off");
  EXPECT_EQ(report->computation_s, 0.5);
}

TEST_F(ClientInCTest, ACallThatFailsOnTheRanksMayHaveRun) {
  EXPECT_EQ(call(-7), nullptr);
  EXPECT_EQ(tasuki_client_may_have_run(), 1);
  EXPECT_STREQ(tasuki_client_error_kind(), "call");
  EXPECT_NE(std::string(tasuki_client_error_text()).find("n is negative"), std::string::npos);
  EXPECT_NE(call(7), nullptr);
}

TEST_F(ClientInCTest, WrongArgumentsAreRefusedBeforeAnythingRuns) {
  EXPECT_EQ(tasuki_client_call_routine(client_, "m/f", nullptr, 0), nullptr);
  EXPECT_EQ(tasuki_client_may_have_run(), 0);
  EXPECT_EQ(tasuki_client_call_routine(client_, "m/g", nullptr, 0), nullptr);
  EXPECT_EQ(tasuki_client_call(client_, "m", "f", "no JSON", nullptr, 0), nullptr);
  EXPECT_EQ(tasuki_client_call(client_, "m", "f", R"({"k": 7})", nullptr, 0), nullptr);
  double wrong = 0.5;
  const tasuki_argument argument = argument_of(&wrong, "float64");
  EXPECT_EQ(tasuki_client_call_routine(client_, "m/f", &argument, 1), nullptr);
  const tasuki_argument unknown = argument_of(&wrong, "float7");
  EXPECT_EQ(tasuki_client_call_routine(client_, "m/f", &unknown, 1), nullptr);
  EXPECT_NE(std::string(tasuki_client_error_text()).find("float7"), std::string::npos);
}

TEST_F(ClientInCTest, ModesAndFormsThatAreNotThereAreRefused) {
  EXPECT_EQ(tasuki_client_set_mode(client_, "flight"), -1);
  EXPECT_EQ(tasuki_client_set_wire_format(client_, "morse"), -1);
  EXPECT_EQ(tasuki_client_set_wire_format(client_, "xdr"), 0);
  EXPECT_NE(call(7), nullptr) << tasuki_client_error_text();
}

TEST_F(ClientInCTest, AClientThatWasEndedCallsNoMore) {
  tasuki_client_end(client_);
  EXPECT_EQ(call(7), nullptr);
  EXPECT_EQ(tasuki_client_may_have_run(), 0);
}

TEST_F(ClientInCTest, WithoutACallThereIsNoProgress) {
  std::int64_t moved_bytes = 1;
  std::int64_t total_bytes = 1;
  tasuki_client_progress(client_, &moved_bytes, &total_bytes);
  EXPECT_EQ(moved_bytes, 0);
  EXPECT_EQ(total_bytes, 0);
  tasuki_client_cancel(client_);  // Does nothing.
  EXPECT_NE(call(7), nullptr);
}

}  // namespace
}  // namespace tasuki::rpc
