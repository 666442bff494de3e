#include "rpc/client/call_report.hpp"

#include <gtest/gtest.h>

namespace tasuki::rpc {
namespace {

using nlohmann::json;

TEST(CallReportTest, TheTextHasAllThatIsKnown) {
  CallReport report;
  report.server = "tasuki://\"a\":1";
  report.mode = TransferMode::hand_off;
  report.sent_bytes = 24;
  report.received_bytes = std::int64_t{3} << 30;
  report.client_s = 1.0;
  report.front_end_s = 2.5e-7;
  report.ranks = {{1e-6, 0.5, 3e-6, 1.0}, {4e-6, 2.0, 1e-320, 0.0}};
  report.operations = 30;
  EXPECT_EQ(
      json::parse(json_text_of(report)),
      json(
          {{"bytes", {{"received", 3221225472}, {"sent", 24}}},
           {"mode", "hand-off"},
           {"ranks",
            {{{"seconds", {{"compute", 0.5}, {"receive", 1e-6}, {"send", 3e-6}}}, {"threads", 2.0}},
             {{"seconds", {{"compute", 2.0}, {"receive", 4e-6}, {"send", 1e-320}}},
              {"threads", 1.0}}}},
           {"seconds", {{"client", 1.0}, {"computation", 2.0}, {"front_end", 2.5e-7}}},
           {"wire", "native"},
           {"server", "tasuki://\"a\":1"},
           {"operations", 30},
           {"operations_per_s", 15.0}}));
}

TEST(CallReportTest, WhatIsNotKnownIsLeftOut) {
  const json made = json::parse(json_text_of({.operations = 7}));
  EXPECT_EQ(made["ranks"], json::array());
  for (const char* name : {"front_end", "texts", "operations_per_s"}) {
    EXPECT_FALSE(made.contains(name)) << name;
  }
}

TEST(CallReportTest, TextsThatAreNoUtf8DoNotSpoilIt) {
  const json made = json::parse(
      json_text_of({.front_end = {{"receive", 0.25}}, .texts = {{"name", {"a\"b", "\xff"}}}}));
  EXPECT_EQ(made["texts"]["name"], (json{"a\"b", "\xEF\xBF\xBD"}));
  EXPECT_EQ(made["front_end"]["seconds"]["receive"], 0.25);
}

}  // namespace
}  // namespace tasuki::rpc
