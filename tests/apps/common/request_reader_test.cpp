#include "common/request_reader.hpp"

#include <gtest/gtest.h>
#include <tasuki/error.hpp>

#include <functional>

namespace tasuki::apps {
namespace {

RequestReader reader(std::string_view text) { return {"asking", text}; }

/// What is said against a request whose only field is `value`, called "field".
std::string refusal(const std::string& value, const std::function<void(RequestReader&)>& read) {
  try {
    RequestReader request = reader(R"({"field": )" + value + "}");
    read(request);
    request.finish();
  } catch (const error& failure) {
    return failure.happened();
  }
  return "";
}

const auto small_integer = [](RequestReader& request) { request.integer("field", 1, 9); };
const auto text = [](RequestReader& request) { request.text("field"); };
const auto choice = [](RequestReader& request) { request.text("field", {"shm", "mpi"}); };
const auto number = [](RequestReader& request) { request.number("field"); };
const auto flag = [](RequestReader& request) { request.flag("field"); };

TEST(RequestReader, ReadsWhatTheFieldsSay) {
  RequestReader request =
      reader(R"({"ranks": 9, "name": "ring \"x\"", "seconds": 0.5, "is_on": true, "no": null})");
  EXPECT_EQ(request.integer("ranks", 1, 9), 9);
  EXPECT_EQ(request.text("name"), R"(ring "x")");
  EXPECT_EQ(request.number("seconds"), 0.5);
  EXPECT_TRUE(request.flag("is_on"));
  EXPECT_FALSE(request.is_null("ranks"));
  EXPECT_TRUE(request.is_null("no"));
  request.finish();
}

TEST(RequestReader, NamesTheFieldThatIsWrongAndWhatItMayBe) {
  for (const char* wrong : {"0", "10", "-1", "1.5", "1e3", "\"3\"", "null", "[1]",
                            "18446744073709551615", "99999999999999999999"}) {
    EXPECT_NE(refusal(wrong, small_integer).find("field must be an integer from 1 to 9, not "),
              std::string::npos)
        << wrong << ": " << refusal(wrong, small_integer);
  }
  EXPECT_EQ(refusal("3", text), "field must be a text, not 3");
  EXPECT_EQ(refusal("\"tcp\"", choice), "field must be shm or mpi, not \"tcp\"");
  EXPECT_EQ(refusal("-0.5", number), "field must be a number, 0 or more, not -0.5");
  EXPECT_EQ(refusal("1", flag), "field must be true or false, not 1");
}

TEST(RequestReader, RefusesWhatLacksOrMeansNothing) {
  const auto other = [](RequestReader& request) { request.text("other"); };
  EXPECT_EQ(refusal("1", other), "the request has no field 'other'");
  EXPECT_EQ(refusal("1", [](RequestReader&) {}),
            "the request has a field 'field' that means nothing");
}

TEST(RequestReader, RefusesWhatIsNoObject) {
  for (const char* wrong : {"", "{", "[]", "3", "measure allreduce 64"}) {
    EXPECT_THROW(reader(wrong), error) << wrong;
  }
}

TEST(Json, OfWhatIsNoUtf8IsPrintedAllTheSame) {
  EXPECT_EQ(to_line({{"b", "a\xff"}, {"a", "\xc3\xa9"}}),
            "{\"b\":\"a\xef\xbf\xbd\",\"a\":\"\xc3\xa9\"}");
}

}  // namespace
}  // namespace tasuki::apps
