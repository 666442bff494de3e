#include "common/command_line.hpp"

#include <gtest/gtest.h>

#include <array>

#include "common/usage_error.hpp"

namespace tasuki::apps {
namespace {

struct Values {
  std::int64_t count = 7;
  std::string method = "heap";
  bool split = true;
};

template <class... Words>
Values parsed(Words... words) {
  Values values;
  CommandLine line("counter");
  line.add_number("count", values.count, 0, 100, "how many");
  line.add_text("method", values.method, {"heap", "bucket"}, "which way");
  line.add_flag("no-split", values.split, false, "no clock");
  const std::array<const char*, sizeof...(words) + 1> arguments{"program", words...};
  line.parse(static_cast<int>(arguments.size()), arguments.data());
  return values;
}

template <class... Words>
std::string refusal(Words... words) {
  try {
    parsed(words...);
  } catch (const usage_error& failure) {
    return failure.what();
  }
  return "";
}

TEST(CommandLine, SetsWhatTheWordsSay) {
  const Values values = parsed("--count", "100", "--method", "bucket", "--no-split");
  EXPECT_EQ(values.count, 100);
  EXPECT_EQ(values.method, "bucket");
  EXPECT_FALSE(values.split);
  EXPECT_EQ(parsed().count, 7);
}

TEST(CommandLine, RefusesWhatItDoesNotUnderstand) {
  EXPECT_NE(refusal("--color").find("cannot understand '--color'"), std::string::npos);
  EXPECT_NE(refusal("--count").find("--count needs a value"), std::string::npos);
  for (const char* wrong : {"101", "-1", "", "7x", "x", "99999999999999999999"})
    EXPECT_NE(refusal("--count", wrong).find("an integer from 0 to 100"), std::string::npos)
        << wrong;
  EXPECT_EQ(refusal("--count", "101"),
            "tasuki: counter: --count must be an integer from 0 to 100, not '101'. Remedy: as in "
            "--count 7");
  EXPECT_NE(refusal("--method", "stack").find("must be heap|bucket, not 'stack'"),
            std::string::npos);
}

TEST(CommandLine, ShowsDefaultsInTheUsage) {
  EXPECT_NE(refusal("--help").find("how many [7]"), std::string::npos) << refusal("--help");
}

}  // namespace
}  // namespace tasuki::apps
