#include "rpc/interface/texts.hpp"

#include <gtest/gtest.h>

#include <string>
#include <tasuki/error.hpp>

namespace tasuki::rpc {
namespace {

using nlohmann::json;

Routine routine_of_texts() {
  Parameter one;
  one.name = "one";
  one.content = Content::texts;
  Parameter many = one;
  many.name = "many";
  many.mode = Mode::out;
  many.sizes.push_back(Expression::from_json("n"));
  return {"f", "", {one, many}};
}

std::string error_of(const json& texts, bool (Parameter::*is_wanted)() const noexcept,
                     std::int64_t count = 2) {
  try {
    check_texts(routine_of_texts(), {{"n", count}}, texts, is_wanted);
  } catch (const error& fault) {
    return fault.happened();
  }
  return "";
}

TEST(TextsTest, EachArgumentHasAsManyTextsAsItsSize) {
  EXPECT_EQ(error_of({{"one", {"a"}}}, &Parameter::is_sent), "");
  EXPECT_EQ(error_of({{"many", {"a", ""}}}, &Parameter::is_returned), "");
  EXPECT_EQ(error_of({{"many", json::array()}}, &Parameter::is_returned, 0), "");
  EXPECT_EQ(error_of({{"many", {"a"}}}, &Parameter::is_returned), "many is not 2 texts");
  EXPECT_EQ(error_of(json::object(), &Parameter::is_sent), "one is not 1 texts");
  EXPECT_EQ(error_of({{"one", "a"}}, &Parameter::is_sent), "one is not 1 texts");
  EXPECT_EQ(error_of({{"one", {1}}}, &Parameter::is_sent), "one is not 1 texts");
  EXPECT_EQ(error_of({{"many", {"a"}}}, &Parameter::is_returned, -1), "many has size n = -1");
}

TEST(TextsTest, NulAndTextsThatAreTooLongAreRefused) {
  EXPECT_EQ(error_of({{"one", {std::string("a\0b", 3)}}}, &Parameter::is_sent),
            "one holds the character NUL");
  const std::string longest(texts_most_bytes - 1, 'a');
  EXPECT_EQ(error_of({{"one", {longest}}}, &Parameter::is_sent), "");
  EXPECT_EQ(error_of({{"one", {longest + "a"}}}, &Parameter::is_sent),
            "one is too long: the texts of a call have at most 8388608 bytes");
  EXPECT_EQ(error_of({{"many", {longest, ""}}}, &Parameter::is_returned),
            "many is too long: the texts of a call have at most 8388608 bytes");
}

TEST(TextsTest, CountsThatNoMessageHoldsAreRefused) {
  const Routine routine = routine_of_texts();
  EXPECT_EQ(texts_count(routine.parameters[0], {}), 1U);
  EXPECT_THROW(texts_count(routine.parameters[1], {{"n", std::int64_t{1} << 62}}), error);
}

}  // namespace
}  // namespace tasuki::rpc
