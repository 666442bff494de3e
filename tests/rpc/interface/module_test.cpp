#include "rpc/interface/module.hpp"

#include <gtest/gtest.h>

#include <string>

#include "rpc/wire/happened.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

json list(const json& one) { return json::array({one}); }

json routine(const char* name, const json& parameters = json::array()) {
  return {{"name", name},
          {"text", "does it"},
          {"aliases", list(std::string(name) + "_")},
          {"parameters", parameters},
          {"calc_order", nullptr}};
}

/// a[n], dealt in blocks to 2 processes.
json array(const json& changes = json::object()) {
  json made = json::parse(R"({
    "kind": "value", "name": "a", "mode": "inout", "wire": "float64",
    "dimensions": [{"size": "n", "lower": 0, "upper": "n", "step": 1}],
    "distribution": {"divisions": [["BLOCK"]], "grid": [2]}
  })");
  made.update(changes);
  return made;
}

json distribution(const char* divisions, const char* grid) {
  return {{"distribution", {{"divisions", json::parse(divisions)}, {"grid", json::parse(grid)}}}};
}

json module_of(const json& routines) {
  const json methods = json::array({routine("f"), routine("g")});
  return {{"interface", 1},
          {"module", "m"},
          {"routines", routines},
          {"classes", list({{"name", "C"}, {"text", ""}, {"methods", methods}})}};
}

/// What is wrong with a routine that has this argument.
std::string refused(const json& changes) {
  return happened_in(
      [&] { module_from_json(module_of(list(routine("f", list(array(changes)))))); });
}

TEST(ModuleTest, RoutinesInCGetCopiesOfArraysOfLongThatTravelWith32Bits) {
  const auto copied_bytes = [](const char* implementation, const json& changes) {
    json made = routine("f", list(array(changes)));
    made["implementation"] = json::parse(implementation);
    return module_from_json(module_of(list(made))).routines[0].parameters[0].copied_element_bytes;
  };
  const char* const body = R"({"kind": "c", "code": "", "line": 1})";
  const json narrow = {{"type", "unsigned long"}, {"wire", "uint32"}};
  EXPECT_EQ(copied_bytes(body, narrow), sizeof(long));
  EXPECT_EQ(copied_bytes(R"({"kind": "calls", "language": "C++"})", narrow), sizeof(long));
  EXPECT_EQ(copied_bytes(R"({"kind": "calls", "language": "Fortran"})", narrow), 0U);
  EXPECT_EQ(copied_bytes(body, {{"type", "long"}, {"wire", "int64"}}), 0U);
  EXPECT_EQ(copied_bytes(body, {{"type", "int"}, {"wire", "int32"}}), 0U);
}

TEST(ModuleTest, RoutinesAndMethodsAreFoundByTheirNamesAndAliases) {
  const Module module = module_from_json(module_of({routine("f"), routine("h")}));
  EXPECT_EQ(module.find("h"), &module.routines[1]);
  EXPECT_EQ(module.find("h_"), &module.routines[1]);
  EXPECT_EQ(module.find("f"), &module.routines[0]);
  EXPECT_EQ(module.find("C.f"), &module.classes[0].methods[0]);
  EXPECT_EQ(module.find("C.g_"), &module.classes[0].methods[1]);
  for (const char* other : {"g", "C.h", "D.f", "C", "C.", ".f", "", "f__"}) {
    EXPECT_EQ(module.find(other), nullptr) << other;
  }
  EXPECT_TRUE(module.find("C.f")->is_method());
  EXPECT_EQ(module.find("C.f")->class_name(), "C");
  EXPECT_FALSE(module.find("f")->is_method());
  EXPECT_EQ(module.find_class("D"), nullptr);
}

TEST(ModuleTest, AnArrayHasTheRangeThatIsNotTheWholeDimension) {
  json part = array();
  part["dimensions"][0]["lower"] = 1;
  const Module module = module_from_json(module_of(list(routine("f", {array(), part}))));
  const Routine& made = module.routines[0];
  EXPECT_FALSE(made.parameters[0].ranges[0]);
  ASSERT_TRUE(made.parameters[1].ranges[0]);
  EXPECT_FALSE(without_ranges(made).parameters[1].ranges[0]);
  EXPECT_TRUE(std::holds_alternative<BlockDivision>(made.parameters[0].divisions[0]));
}

TEST(ModuleTest, WhatCallsDoNotTakeIsRefusedByName) {
  EXPECT_EQ(refused(json::object()), "");
  EXPECT_EQ(refused({{"mode", "sideways"}}), "there is no mode sideways");
  EXPECT_EQ(refused({{"wire", "float16"}}),
            "argument a travels as float16, which calls do not take");
  EXPECT_EQ(refused(distribution(R"([["SPIRAL"]])", "[]")),
            R"(["SPIRAL"] is no division of a dimension)");
  const std::string misfit = "the distribution of a does not fit its array";
  EXPECT_EQ(refused(distribution(R"([["*"]])", "[2]")), misfit);
  EXPECT_EQ(refused(distribution(R"([["*"], ["*"]])", "[]")), misfit);
  EXPECT_EQ(refused({{"wire", "text"}}), "a cannot be distributed");
  json files = distribution("[]", "[]");
  files["wire"] = "file";
  EXPECT_EQ(refused(files), "a is an array of files, which calls do not take");
}

TEST(ModuleTest, ACallbackTakesUndividedArrays) {
  const json callback = {{"kind", "callback"}, {"name", "g"}, {"parameters", list(array())}};
  EXPECT_EQ(happened_in([&] { module_from_json(module_of(list(routine("f", list(callback))))); }),
            "a of callback g is no undivided array of numbers");
}

TEST(ModuleTest, AnotherVersionIsRefusedAndSoIsEachMissingField) {
  json module = module_of(list(routine("f", list(array()))));
  EXPECT_EQ(module_from_json(module).json, module);
  module["interface"] = 2;
  EXPECT_EQ(happened_in([&] { module_from_json(module); }), "its version is 2, not 1");
  const json whole = module_of(list(routine("f", list(array())))).flatten();
  for (const auto& [place, value] : whole.items()) {
    json broken = whole;
    broken.erase(place);
    // Whatever is missing, the error is one of Tasuki's.
    EXPECT_NO_THROW(happened_in([&] { module_from_json(broken.unflatten()); })) << place;
  }
  for (const char* field : {"interface", "module", "routines", "classes"}) {
    json broken = module_of(json::array());
    broken.erase(field);
    EXPECT_NE(happened_in([&] { module_from_json(broken); }).find(field), std::string::npos);
  }
}

TEST(ModuleTest, NumbersHaveTheNamesAndSizesOfNumPy) {
  EXPECT_EQ(number_of("complex64"), Number::complex64);
  EXPECT_EQ(name_of(Number::uint16), "uint16");
  EXPECT_FALSE(number_of("float16"));
  EXPECT_EQ(bytes_of(Number::complex128), 16U);
  EXPECT_EQ(word_bytes_of(Number::complex128), 8U);
  EXPECT_EQ(word_bytes_of(Number::uint32), 4U);
  EXPECT_TRUE(is_integer(Number::uint64));
  EXPECT_FALSE(is_integer(Number::float32));
}

}  // namespace
}  // namespace tasuki::rpc
