#include "rpc/client/named_arguments.hpp"

#include <gtest/gtest.h>

namespace tasuki::rpc {
namespace {

using nlohmann::json;

Parameter parameter(const char* name, Content content) {
  Parameter made;
  made.name = name;
  made.content = content;
  return made;
}

const Routine search = {
    .name = "search",
    .parameters = {parameter("n", Content::numbers), parameter("words", Content::texts),
                   parameter("title", Content::texts), parameter("book", Content::file)}};

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
