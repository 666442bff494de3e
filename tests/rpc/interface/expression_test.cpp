#include "rpc/interface/expression.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <tasuki/error.hpp>

namespace tasuki::rpc {
namespace {

using nlohmann::json;

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

std::int64_t value_of(const char* text, const Integers& values = {{"n", 7}, {"m", -3}}) {
  return Expression::from_json(json::parse(text)).evaluate(values, "A");
}

std::string error_of(const char* text, const Integers& values = {{"n", 7}, {"zero", 0}}) {
  try {
    value_of(text, values);
  } catch (const error& fault) {
    return fault.happened();
  }
  return "";
}

TEST(ExpressionTest, OperatorsAreThoseOfC) {
  EXPECT_EQ(value_of("12"), 12);
  EXPECT_EQ(value_of(R"(["+", "n", "m"])"), 4);
  EXPECT_EQ(value_of(R"(["-", "m", "n"])"), -10);
  EXPECT_EQ(value_of(R"(["*", "n", "m"])"), -21);
  EXPECT_EQ(value_of(R"(["/", ["-", "n"], 2])"), -3);
  EXPECT_EQ(value_of(R"(["%", ["-", "n"], 2])"), -1);
  EXPECT_EQ(value_of(R"(["<=", "n", 7])"), 1);
  EXPECT_EQ(value_of(R"(["!=", "n", 7])"), 0);
}

TEST(ExpressionTest, PowerIsByRepeatedMultiplication) {
  EXPECT_EQ(value_of(R"(["^", 2, 62])"), std::int64_t{1} << 62);
  EXPECT_EQ(value_of(R"(["^", 0, 0])"), 1);
  EXPECT_EQ(value_of(R"(["^", "m", 3])"), -27);
  EXPECT_EQ(value_of(R"(["^", ["-", 1], 1000000000001])"), -1);
  EXPECT_EQ(error_of(R"(["^", 2, 63])"), "A: (2 ^ 63) does not fit into 64 bits");
  EXPECT_EQ(error_of(R"(["^", 2, ["-", 1]])"), "A: (2 ^ -1) has a negative exponent");
}

TEST(ExpressionTest, ADollarIsALetterOfNames) {
  EXPECT_EQ(value_of(R"(["+", "$n", "n$2"])", {{"$n", 1}, {"n$2", 2}}), 3);
}

TEST(ExpressionTest, OnlyTheChosenBranchIsEvaluated) {
  EXPECT_EQ(value_of(R"(["?:", ["<", "m", 0], 1, ["/", 1, 0]])"), 1);
  EXPECT_EQ(value_of(R"(["?:", 0, "unknown", 2])"), 2);
}

TEST(ExpressionTest, WhatHasNoValueNamesThePartAtFault) {
  EXPECT_EQ(error_of(R"(["+", 1, ["/", "n", "zero"]])"),
            "A: (n / zero) in (1 + (n / zero)) divides by zero");
  EXPECT_EQ(error_of(R"(["*", "k", 2])"), "A: k in (k * 2) has no value");
}

TEST(ExpressionTest, ResultsBeyond64BitsAreErrors) {
  const Integers ends = {{"most", most}, {"least", -most - 1}};
  for (const char* text : {R"(["+", "most", 1])", R"(["-", "least", 1])", R"(["*", "most", 2])",
                           R"(["-", "least"])", R"(["/", "least", ["-", 1]])"}) {
    EXPECT_NE(error_of(text, ends).find("does not fit into 64 bits"), std::string::npos) << text;
  }
  EXPECT_EQ(value_of(R"(["%", "least", ["-", 1]])", ends), 0);
}

TEST(ExpressionTest, OtherJsonIsRefused) {
  for (const char* text :
       {"-1", "1.5", "true", "null", "{}", "[]", R"("1a")", R"("")", R"(["+", 1])", R"(["!", 1])",
        R"(["?:", 1, 2])", "9223372036854775808", R"([1, 2])"}) {
    EXPECT_THROW(Expression::from_json(json::parse(text)), error) << text;
  }
}

TEST(ExpressionTest, DeepNestingIsAnError) {
  json deep = 1;
  for (int i = 0; i < 100'000; ++i) deep = json::array({"-", std::move(deep)});
  EXPECT_THROW(Expression::from_json(deep), error);
}

}  // namespace
}  // namespace tasuki::rpc
