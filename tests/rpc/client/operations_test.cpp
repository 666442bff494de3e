#include "rpc/client/operations.hpp"

#include <gtest/gtest.h>

namespace tasuki::rpc {
namespace {

using nlohmann::json;

json report() {
  return {{"ranks", {{{"seconds", {{"compute", 0.5}}}}, {{"seconds", {{"compute", 2.0}}}}}}};
}

Routine routine_with(const json& operations) {
  return {.name = "f", .operations = Expression::from_json(operations)};
}

TEST(OperationsTest, TheSlowestRankTellsTheRate) {
  json made = report();
  report_operations(routine_with({"*", "n", 10}), {{"n", 3}}, made);
  EXPECT_EQ(made["operations"], 30);
  EXPECT_DOUBLE_EQ(made["operations_per_s"].get<double>(), 15);
}

TEST(OperationsTest, WhatIsNotSaidOrNoNumberIsNotReported) {
  json made = report();
  report_operations({.name = "f"}, {}, made);
  report_operations(routine_with({"/", 1, "n"}), {{"n", 0}}, made);
  report_operations(routine_with({"^", "n", 9}), {{"n", 1000}}, made);
  EXPECT_EQ(made, report());
  made["ranks"] = json::array();
  report_operations(routine_with(7), {}, made);
  EXPECT_EQ(made["operations"], 7);
  EXPECT_FALSE(made.contains("operations_per_s"));
}

}  // namespace
}  // namespace tasuki::rpc
