#include "rpc/web/http_message.hpp"

#include <gtest/gtest.h>

namespace tasuki::rpc {
namespace {

using Fields = std::map<std::string, std::string>;

TEST(HttpMessageTest, FieldsOfFormsAreDecoded) {
  EXPECT_EQ(form_fields("a=1&b=x+y%2B%C3%a4&c&=d"),
            (Fields{{"a", "1"}, {"b", "x y+\xc3\xa4"}, {"c", ""}, {"", "d"}}));
  EXPECT_EQ(form_fields(""), Fields());
}

TEST(HttpMessageTest, WhatIsNotEncodedRightlyStaysAsItIs) {
  EXPECT_EQ(form_fields("a=%&b=%4&c=%4g&d=%%41"),
            (Fields{{"a", "%"}, {"b", "%4"}, {"c", "%4g"}, {"d", "%A"}}));
}

TEST(HttpMessageTest, PartsOfPathsAreDecoded) {
  EXPECT_EQ(path_text("a+b%2Fc%20"), "a+b/c ");
  EXPECT_EQ(path_text(""), "");
}

TEST(HttpMessageTest, CookiesAreFoundByTheirWholeName) {
  HttpRequest request;
  EXPECT_EQ(request.cookie("token"), "");
  request.headers["cookie"] = "my_token=1; token=a=b; tokens=2; token";
  EXPECT_EQ(request.cookie("my_token"), "1");
  EXPECT_EQ(request.cookie("tokens"), "2");
  EXPECT_EQ(request.cookie("token"), "a=b");
  EXPECT_EQ(request.cookie("oken"), "");
}

}  // namespace
}  // namespace tasuki::rpc
