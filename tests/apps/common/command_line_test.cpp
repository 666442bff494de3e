#include "common/command_line.hpp"

#include <gtest/gtest.h>
#include <CLI/CLI.hpp>

#include <array>
#include <string>

#include "common/usage_error.hpp"

namespace tasuki::apps {
namespace {

struct Values : CommonOptions {
  int count = 7;
};

template <class... Words>
Values parsed(Words... words) {
  Values values;
  CLI::App line("Counts.", "counter");
  line.add_option("--count", values.count, "how many")
      ->check(CLI::Range(0, 100))
      ->capture_default_str();
  add_common_options(line, values);
  const std::array<const char*, sizeof...(words) + 1> arguments{"program", words...};
  parse(line, static_cast<int>(arguments.size()), arguments.data());
  return values;
}

/// The text and, behind it, the exit code.
template <class... Words>
std::string refusal(Words... words) {
  try {
    parsed(words...);
  } catch (const usage_error& failure) {
    return failure.what() + std::to_string(failure.exit_code());
  }
  return "";
}

TEST(CommandLine, SetsWhatTheWordsSay) {
  const Values values = parsed("--count", "100", "--no-split", "--perturb");
  EXPECT_EQ(values.count, 100);
  EXPECT_FALSE(values.split);
  EXPECT_TRUE(values.perturb);
  EXPECT_FALSE(values.json);
  EXPECT_TRUE(parsed("--json").json);
  EXPECT_EQ(parsed().count, 7);
  EXPECT_TRUE(parsed().split);
}

TEST(CommandLine, RefusesWhatItDoesNotUnderstand) {
  EXPECT_NE(refusal("--color").find("tasuki: counter: "), std::string::npos);
  for (const char* unknown : {"--color", "colour"})
    EXPECT_NE(refusal(unknown).find(unknown), std::string::npos) << refusal(unknown);
  EXPECT_NE(refusal("--count").find("--count"), std::string::npos);
  for (const char* wrong : {"101", "-1", "", "7x", "x", "99999999999999999999"}) {
    const std::string said = refusal("--count", wrong);
    EXPECT_NE(said.find("--count"), std::string::npos) << wrong << ": " << said;
    EXPECT_NE(said.find("Remedy: "), std::string::npos) << wrong;
    EXPECT_EQ(said.back(), '2');
  }
  EXPECT_NE(refusal("--count", "101").find("Value 101 not in range"), std::string::npos);
}

TEST(CommandLine, ShowsBoundsAndDefaultsInTheHelp) {
  const std::string help = refusal("--help");
  for (const char* text : {"--count", "how many", "7", "100", "--no-split", "Counts."})
    EXPECT_NE(help.find(text), std::string::npos) << help;
  EXPECT_EQ(help.back(), '0');
  EXPECT_NE(refusal("--color").find("how many"), std::string::npos);
}

}  // namespace
}  // namespace tasuki::apps
