#include "rpc/sessions/text_arguments.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <tasuki/error.hpp>

#include "rpc/interface/parameters.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

Parameter texts(const char* name, Mode mode, const json& sizes) {
  Parameter made = text_parameter(name, mode);
  for (const json& size : sizes) {
    made.sizes.push_back(Expression::from_json(size));
    made.ranges.emplace_back();
  }
  return made;
}

const Routine routine = {"f", "", {}};
const Integers integers = {{"n", 2}};

std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const error& fault) {
    return fault.happened();
  }
  return "";
}

/// `count` texts side by side.
Argument characters(char* memory, std::size_t text_bytes, std::vector<std::int64_t> extents) {
  return {.memory = memory, .extents = std::move(extents), .text_bytes = text_bytes};
}

TEST(TextArgumentsTest, ATextOfCEndsWithNulOrWhereItsExtentSays) {
  std::string memory = "text  ";
  const Parameter name = texts("name", Mode::in, json::array());
  EXPECT_EQ(text_of(routine, name, {.memory = memory.data()}), "text  ");
  EXPECT_EQ(text_of(routine, name, {.memory = memory.data(), .extents = {3}}), "tex");
}

TEST(TextArgumentsTest, BlanksAtTheEndOfCharactersDoNotCount) {
  std::string memory = " a b  ";
  const Parameter name = texts("name", Mode::in, json::array());
  EXPECT_EQ(text_of(routine, name, characters(memory.data(), 6, {1})), " a b");
  EXPECT_EQ(text_of(routine, name, characters(memory.data() + 4, 2, {1})), "");
  EXPECT_EQ(text_of(routine, name, characters(nullptr, 0, {1})), "");
}

TEST(TextArgumentsTest, CharactersAreTakenByTheirIndices) {
  std::string memory = "a1b1a2b2a3b3";
  const Parameter all = texts("all", Mode::in, {"n", 3});
  Argument given = characters(memory.data(), 2, {2, 3});
  EXPECT_EQ(texts_of(routine, all, integers, given), json({"a1", "b1", "a2", "b2", "a3", "b3"}));
  given.order = layout::Order::column_major;
  const json by_columns = {"a1", "a2", "a3", "b1", "b2", "b3"};
  EXPECT_EQ(texts_of(routine, all, integers, given), by_columns);
  given = characters(memory.data() + 8, 2, {2, 3});
  given.stride_bytes = {2, -4};
  EXPECT_EQ(texts_of(routine, all, integers, given), json({"a3", "a2", "a1", "b3", "b2", "b1"}));
}

TEST(TextArgumentsTest, WhatComesBackIsFilledUpOrCutOff) {
  std::string memory = "........";
  const Parameter words = texts("words", Mode::out, json::array({"n"}));
  Argument given = characters(memory.data() + 4, 4, {2});
  given.stride_bytes = {-4};
  write_texts({text_results_of(routine, words, integers, given)}, {{"words", {"ab", "cdefg"}}});
  EXPECT_EQ(memory, "cdefab  ");
}

TEST(TextArgumentsTest, PointersGetMemoryOfTheirOwn) {
  char* pointers[2] = {};
  const Parameter words = texts("words", Mode::out, json::array({"n"}));
  const TextResults places =
      text_results_of(routine, words, integers, {.memory = static_cast<void*>(pointers)});
  write_texts({places}, {{"words", {"ab", ""}}});
  EXPECT_STREQ(pointers[0], "ab");
  EXPECT_STREQ(pointers[1], "");
  for (char* const one : pointers) std::free(one);
}

TEST(TextArgumentsTest, ErrorsNameTheArgument) {
  std::string memory = "abcd";
  const Parameter name = texts("name", Mode::in, json::array());
  const Parameter words = texts("words", Mode::inout, json::array({"n"}));
  const auto said = [&](const Argument& given) {
    return error_of([&] { text_of(routine, name, given); });
  };
  EXPECT_EQ(said({}), "name is a null pointer");
  EXPECT_EQ(said({.memory = memory.data(), .number = Number::int32}),
            "name must be a text, and numbers are given");
  EXPECT_EQ(said({.memory = memory.data(), .is_function = true}),
            "name must be a text, and a function is given");
  EXPECT_EQ(said(characters(memory.data(), 2, {2})), "name must have 1 text, and has 2");
  const Argument three = characters(memory.data(), 1, {3});
  const std::string expected = "words must have 2 texts, and has 3";
  EXPECT_EQ(error_of([&] { texts_of(routine, words, integers, three); }), expected);
  EXPECT_EQ(error_of([&] { text_results_of(routine, words, integers, three); }), expected);
  char* pointers[2] = {memory.data(), nullptr};
  EXPECT_EQ(error_of([&] {
              texts_of(routine, words, integers, {.memory = static_cast<void*>(pointers)});
            }),
            "words is a null pointer");
}

}  // namespace
}  // namespace tasuki::rpc
