#include "info/json.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tasuki::json {
namespace {

TEST(Json, QuotesWhatWouldEndAString) {
  EXPECT_EQ(quoted("plain"), R"("plain")");
  EXPECT_EQ(quoted(R"(a "b" c:\d)"), R"("a \"b\" c:\\d")");
  EXPECT_EQ(quoted("two\nlines\t"), R"("two\u000alines\u0009")");
  EXPECT_EQ(quoted("\xc3\xa9t\xc3\xa9"), "\"\xc3\xa9t\xc3\xa9\"") << "UTF-8 stays as it is";
}

TEST(Json, ObjectsKeepTheOrderOfTheirMembers) {
  EXPECT_EQ(object({}), "{}");
  EXPECT_EQ(object({{"b", "1"}, {"a", quoted("x")}}), R"({"b": 1, "a": "x"})");
}

TEST(Json, ArraysHoldWhatIsMadeOfTheRows) {
  const auto twice = [](int number) { return std::to_string(2 * number); };
  EXPECT_EQ(array(std::vector<int>{}, twice), "[]");
  EXPECT_EQ(array(std::vector<int>{1, 2}, twice), "[2,\n4]");
}

}  // namespace
}  // namespace tasuki::json
