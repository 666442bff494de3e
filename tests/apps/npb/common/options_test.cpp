#include "npb/common/options.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "common/usage_error.hpp"

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
  } catch (const apps::usage_error& failure) {
    EXPECT_NE(std::string(failure.what()).find(text), std::string::npos) << failure.what();
    EXPECT_NE(std::string(failure.what()).find("Remedy: "), std::string::npos) << failure.what();
  }
}

TEST(Options, RefusesWhatItDoesNotKnow) {
  expect_refused({"--class", "D"}, "--class: D not in {");
  expect_refused({"--class", "SS"}, "--class: SS not in {");
  expect_refused({"--class"}, "--class");
  expect_refused({"--exchange", "all"}, "--exchange: all not in {");
  expect_refused({"A"}, "not expected: A");
}

}  // namespace
}  // namespace tasuki::npb
