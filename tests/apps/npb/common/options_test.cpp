#include "npb/common/options.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tasuki::npb {
namespace {

Options parse(std::vector<const char*> words) {
  words.insert(words.begin(), "program");
  return parse_options(static_cast<int>(words.size()), words.data());
}

TEST(Options, Defaults) {
  const Options options = parse({});
  EXPECT_EQ(options.problem_class, ProblemClass::s);
  EXPECT_FALSE(options.json);
  EXPECT_TRUE(options.split);
  EXPECT_FALSE(options.perturb);
}

TEST(Options, AllGiven) {
  const Options options = parse({"--class", "b", "--json", "--no-split", "--perturb"});
  EXPECT_EQ(options.problem_class, ProblemClass::b);
  EXPECT_TRUE(options.json);
  EXPECT_FALSE(options.split);
  EXPECT_TRUE(options.perturb);
}

void expect_refused(std::vector<const char*> words, const std::string& text) {
  try {
    parse(std::move(words));
    ADD_FAILURE() << "accepted, but must be refused: " << text;
  } catch (const usage_error& failure) {
    EXPECT_NE(std::string(failure.what()).find(text), std::string::npos) << failure.what();
    EXPECT_NE(std::string(failure.what()).find("Usage:"), std::string::npos) << failure.what();
  }
}

TEST(Options, RefusesWhatItDoesNotKnow) {
  expect_refused({"--class", "D"}, "unknown class 'D'");
  expect_refused({"--class", "SS"}, "unknown class 'SS'");
  expect_refused({"--class"}, "cannot understand '--class'");
  expect_refused({"--exchange", "all"}, "unknown exchange 'all'");
  expect_refused({"A"}, "cannot understand 'A'");
}

}  // namespace
}  // namespace tasuki::npb
