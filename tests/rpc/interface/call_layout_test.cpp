#include "rpc/interface/call_layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <complex>
#include <cstring>
#include <string>
#include <tasuki/error.hpp>

namespace tasuki::rpc {
namespace {

using nlohmann::json;

json parameter(const char* name, const char* mode, const char* wire, const json& sizes,
               const json& divisions = json::array(), const json& grid = json::array()) {
  json dimensions = json::array();
  for (const json& size : sizes) {
    dimensions.push_back({{"size", size}, {"lower", 0}, {"upper", size}, {"step", 1}});
  }
  return {{"kind", "value"},
          {"name", name},
          {"mode", mode},
          {"type", "-"},
          {"wire", wire},
          {"dimensions", dimensions},
          {"distribution", {{"divisions", divisions}, {"grid", grid}}},
          {"placement", "usual"}};
}

Routine routine_with(const json& parameters) {
  return module_from_json({{"interface", 1},
                           {"module", "m"},
                           {"routines",
                            {{{"name", "f"},
                              {"text", ""},
                              {"aliases", json::array()},
                              {"calc_order", nullptr},
                              {"parameters", parameters}}}},
                           {"classes", json::array()}})
      .routines.at(0);
}

/// f(IN int64 n, IN double A[n][4] by rows, OUT double x[n]).
Routine usual_routine(const json& division = json::array({"CYCLIC", 1})) {
  const json divisions = json::array({division, json::array({"*"})});
  return routine_with({parameter("n", "in", "int64", json::array()),
                       parameter("A", "in", "float64", json::array({"n", 4}), divisions),
                       parameter("x", "out", "float64", json::array({"n"}))});
}

template <class Work>
std::string error_of(Work work) {
  try {
    work();
  } catch (const error& fault) {
    return fault.happened();
  }
  return "";
}

TEST(CallLayoutTest, RowsAreDealtOutAndTheRestLiesOnEachRank) {
  const CallLayout layout = layout_of(usual_routine(), {{"n", 7}}, 3);
  EXPECT_FALSE(layout[0]);
  EXPECT_EQ(layout[1]->local_bytes(0), 3 * 4 * 8);
  EXPECT_EQ(layout[1]->local_bytes(2), 2 * 4 * 8);
  EXPECT_EQ(layout[2]->local_bytes(1), 7 * 8);
}

TEST(CallLayoutTest, WhatIsNotDistributedComesBackFromTheFirstRank) {
  const Routine routine = usual_routine();
  EXPECT_TRUE(is_returned_by(0, routine.parameters[2]));
  EXPECT_FALSE(is_returned_by(1, routine.parameters[2]));
  EXPECT_FALSE(is_returned_by(0, routine.parameters[1]));
}

TEST(CallLayoutTest, AnOwnerHasArraysInOnePieceWhateverTheirDivision) {
  for (const json& division : {json{"CYCLIC", 1}, json{"BLOCK", 2}}) {
    const CallLayout layout = whole_layout_of(usual_routine(division), {{"n", 7}});
    EXPECT_FALSE(layout[0]);
    EXPECT_EQ(layout[1]->local_bytes(0), 7 * 4 * 8);
    EXPECT_EQ(layout[2]->local_bytes(0), 7 * 8);
  }
}

TEST(CallLayoutTest, ImpossibleShapesNameTheArray) {
  EXPECT_EQ(error_of([] { layout_of(usual_routine(), {{"n", -1}}, 2); }), "A has size n = -1");
  const Routine narrow = usual_routine({"BLOCK", 2});
  EXPECT_NO_THROW(layout_of(narrow, {{"n", 4}}, 2));
  EXPECT_EQ(error_of([&] {
              layout_of(narrow, {{"n", 5}}, 2);
            }),
            "A: blocks of 2 do not cover 5 elements on 2 processes");
  const Integers huge = {{"n", std::int64_t{1} << 61}};
  const std::string happened = "A: the array has more bytes than 64 bits count";
  EXPECT_EQ(error_of([&] { layout_of(usual_routine(), huge, 2); }), happened);
  EXPECT_EQ(error_of([&] { whole_layout_of(usual_routine(), huge); }), happened);
  const Routine of_no_width = usual_routine({"CYCLIC", 0});
  EXPECT_EQ(error_of([&] { layout_of(of_no_width, {{"n", 5}}, 2); }).rfind("A: ", 0), 0U);
}

TEST(CallLayoutTest, ScalarsAreCheckedAgainstTheirTypes) {
  const Routine routine = routine_with({parameter("a", "in", "int8", json::array()),
                                        parameter("b", "in", "uint64", json::array()),
                                        parameter("z", "in", "complex64", json::array())});
  const json good = {{"a", -128}, {"b", 18446744073709551615ULL}, {"z", {1, 2.5}}};
  EXPECT_EQ(integers_of(routine, good), (Integers{{"a", -128}}));
  std::complex<float> z;
  write_scalar(routine.parameters[2], good, reinterpret_cast<std::byte*>(&z));
  EXPECT_EQ(z, std::complex<float>(1, 2.5));
  for (const auto& [name, value] : std::vector<std::pair<const char*, json>>{
           {"a", 128}, {"a", 1.5}, {"a", "1"}, {"b", -1}, {"z", 1}, {"z", {1}}}) {
    json bad = good;
    bad[name] = value;
    const std::string happened = error_of([&] { integers_of(routine, bad); });
    EXPECT_EQ(happened.rfind(std::string(name) + " = ", 0), 0U) << happened;
  }
  json few = good;
  few.erase("b");
  EXPECT_EQ(error_of([&] { integers_of(routine, few); }), "argument b is missing");
  json many = good;
  many["c"] = 1;
  EXPECT_EQ(error_of([&] { integers_of(routine, many); }), "4 scalars are given, but it has 3");
}

TEST(CallLayoutTest, TextsFilesAndCallbacksAreNoScalars) {
  const Routine routine =
      routine_with({parameter("n", "in", "int32", json::array()),
                    {{"kind", "callback"},
                     {"name", "f"},
                     {"parameters", {parameter("x", "in", "float32", json::array({"n", 2}))}}},
                    parameter("s", "inout", "text", json::array({"n"})),
                    parameter("p", "in", "file", json::array())});
  EXPECT_EQ(integers_of(routine, {{"n", 3}}), (Integers{{"n", 3}}));
  const CallLayout layout = layout_of(routine, {{"n", 3}}, 2);
  EXPECT_EQ(std::ranges::count_if(layout, [](const auto& one) { return one.has_value(); }), 0);
  ASSERT_EQ(routine.callbacks.size(), 1U);
  EXPECT_EQ(routine.callbacks[0].place, 1U);
  EXPECT_EQ(layout_of(routine.callbacks[0], {{"n", 3}}).at(0).whole_bytes(), 3 * 2 * 4);
}

TEST(CallLayoutTest, WhatCallsDoNotTakeIsRefusedByName) {
  const auto refusal_of = [](const json& one) {
    return error_of([&] { routine_with(json::array({one})); });
  };
  EXPECT_EQ(refusal_of(parameter("s", "in", "picture", json::array())),
            "argument s travels as picture, which calls do not take");
  EXPECT_EQ(refusal_of(parameter("s", "in", "file", json::array({2}))),
            "s is an array of files, which calls do not take");
  EXPECT_EQ(refusal_of({{"kind", "callback"},
                        {"name", "f"},
                        {"parameters", {parameter("x", "in", "int32", json::array())}}}),
            "x of callback f is no undivided array of numbers");
}

Routine routine_with_range(const json& lower, const json& upper, const json& step) {
  json ranged = parameter("r", "in", "int8", json::array({4}));
  ranged["dimensions"][0]["lower"] = lower;
  ranged["dimensions"][0]["upper"] = upper;
  ranged["dimensions"][0]["step"] = step;
  return routine_with(json::array({parameter("n", "in", "int32", json::array()), ranged}));
}

TEST(CallLayoutTest, OnlyTheElementsOfARangeTravel) {
  const Routine routine = routine_with_range(1, "n", 2);
  const layout::ArrayLayout part = *whole_layout_of(routine, {{"n", 4}})[1];
  EXPECT_EQ(part.local_bytes(0), 4);
  EXPECT_EQ(part.range(0), (layout::IndexRange{1, 4, 2}));
  EXPECT_EQ(part.selected_bytes(0), 2);
  EXPECT_TRUE(whole_layout_of(routine_with_range(0, "n", 1), {{"n", 4}})[1]->selects_all());
}

TEST(CallLayoutTest, RangesOutsideOfTheDimensionNameTheArray) {
  const std::string text = "r has the range 0 to 5 by 1 of 4 elements";
  EXPECT_EQ(error_of([] { whole_layout_of(routine_with_range(0, "n", 1), {{"n", 5}}); }), text);
  for (const auto& [lower, upper, step] : {std::array<json, 3>{{"n", 2, 1}},
                                           {{json{"-", 1}, "n", 1}},
                                           {{0, 4, json{"-", "n", 3}}},
                                           {{0, "n", json{"-", "n"}}}}) {
    const Routine routine = routine_with_range(lower, upper, step);
    EXPECT_THROW(whole_layout_of(routine, {{"n", 3}}), error);
    EXPECT_THROW(layout_of(routine, {{"n", 3}}, 2), error);
  }
}

}  // namespace
}  // namespace tasuki::rpc
