#include "rpc/client/named_arguments.hpp"

#include <gtest/gtest.h>

#include "rpc/interface/parameters.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

const Routine search = {
    .name = "search",
    .parameters = {parameter("n", Mode::in, Number::int32), text_parameter("words", Mode::in),
                   text_parameter("title", Mode::in), file_parameter("book", Mode::in)}};

TEST(NamedArgumentsTest, WhatTheyHoldTellsThemApart) {
  const NamedArguments given =
      named_arguments(search, {{"n", 3}, {"words", {"a", "b"}}, {"title", "c"}, {"book", "d.txt"}});
  EXPECT_EQ(given.numbers, json({{"n", 3}}));
  EXPECT_EQ(given.texts, json({{"words", {"a", "b"}}, {"title", json::array({"c"})}}));
  EXPECT_EQ(given.files, (std::map<std::string, std::string>{{"book", "d.txt"}}));
}

TEST(NamedArgumentsTest, WhatIsNotGivenIsNotThere) {
  const NamedArguments given = named_arguments(search, {{"n", 3}});
  EXPECT_TRUE(given.texts.empty());
  EXPECT_TRUE(given.files.empty());
}

}  // namespace
}  // namespace tasuki::rpc
