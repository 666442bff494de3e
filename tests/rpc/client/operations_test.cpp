#include "rpc/client/operations.hpp"

#include <gtest/gtest.h>

namespace tasuki::rpc {
namespace {

Routine routine_with(const nlohmann::json& operations) {
  return {.name = "f", .operations = Expression::from_json(operations)};
}

TEST(OperationsTest, TheInterfaceTellsTheirNumber) {
  EXPECT_EQ(operations_of(routine_with({"*", "n", 10}), {{"n", 3}}), 30);
}

TEST(OperationsTest, WhatIsNotSaidOrNoNumberIsNone) {
  EXPECT_EQ(operations_of({.name = "f"}, {}), std::nullopt);
  EXPECT_EQ(operations_of(routine_with({"/", 1, "n"}), {{"n", 0}}), std::nullopt);
  EXPECT_EQ(operations_of(routine_with({"^", "n", 9}), {{"n", 1000}}), std::nullopt);
}

}  // namespace
}  // namespace tasuki::rpc
