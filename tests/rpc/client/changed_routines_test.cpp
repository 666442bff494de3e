#include "rpc/client/changed_routines.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <tasuki/error.hpp>

namespace tasuki::rpc {
namespace {

using nlohmann::json;

json routine(const char* name, const json& parameters) {
  return {{"name", name}, {"text", ""}, {"parameters", parameters}};
}

/// Module m with two routines and a class with a method.
json module(const json& of_first, const json& of_method) {
  const json counter = {{"name", "Counter"}, {"methods", {routine("add", of_method)}}};
  return {{"module", "m"},
          {"routines", {routine("first", of_first), routine("second", json::array())}},
          {"classes", {counter}}};
}

std::set<std::string> changed(const std::vector<json>& now) {
  Module known;
  known.name = "m";
  known.json = module({1}, {2});
  return changed_routines({known}, now);
}

TEST(ChangedRoutinesTest, NothingHasChanged) {
  EXPECT_TRUE(changed({module({1}, {2})}).empty());
  json described = module({1}, {2});
  described["routines"][0]["text"] = "says more";
  EXPECT_TRUE(changed({described}).empty());
}

TEST(ChangedRoutinesTest, OtherParametersAreAChange) {
  EXPECT_EQ(changed({module({3}, {2})}), std::set<std::string>{"m/first"});
  EXPECT_EQ(changed({module({1}, {3})}), std::set<std::string>{"m/Counter.add"});
}

TEST(ChangedRoutinesTest, WhatIsNotThereHasChanged) {
  EXPECT_EQ(changed({}), (std::set<std::string>{"m/first", "m/second", "m/Counter.add"}));
}

TEST(ChangedRoutinesTest, MalformedInterfacesAreAnError) {
  EXPECT_THROW(changed({json({{"module", "m"}})}), tasuki::error);
}

}  // namespace
}  // namespace tasuki::rpc
