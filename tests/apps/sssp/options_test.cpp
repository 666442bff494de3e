#include "sssp/options.hpp"

#include <gtest/gtest.h>

#include "common/usage_error.hpp"
#include "sssp/method.hpp"
#include "sssp/partitioning.hpp"

namespace tasuki::sssp {
namespace {

Options parsed(std::vector<const char*> words) {
  words.insert(words.begin(), "sssp");
  return parse_options(static_cast<int>(words.size()), words.data());
}

TEST(Options, TakeEveryMethodAndPartitioning) {
  for (const Method& one : methods())
    EXPECT_EQ(parsed({"--graph", "g", "--method", std::string(one.name).c_str()}).method, one.name);
  for (const Partitioning& one : partitionings()) {
    if (!one.remedy.empty()) continue;
    EXPECT_EQ(parsed({"--graph", "g", "--partition", std::string(one.name).c_str()}).partition,
              one.name);
  }
}

TEST(Options, RejectWhatTheyCannotMean) {
  EXPECT_THROW(parsed({}), apps::usage_error);
  EXPECT_THROW(parsed({"--graph", "g", "--method", "astar"}), apps::usage_error);
  EXPECT_THROW(parsed({"--graph", "g", "--partition", "scotch"}), apps::usage_error);
  EXPECT_THROW(parsed({"--graph", "g", "--source", "-2"}), apps::usage_error);
  EXPECT_THROW(parsed({"--graph", "g", "--delta", "4294967296"}), apps::usage_error);
  EXPECT_THROW(parsed({"--graph", "g", "--searches", "0"}), apps::usage_error);
  for (const char* method : {"in", "out", "both", "dijkstra"})
    EXPECT_THROW(parsed({"--graph", "g", "--method", method, "--delta", "5"}), apps::usage_error);
}

TEST(Options, WithoutAPartitioningSaysWhatIsNeededForIt) {
  for (const Partitioning& one : partitionings()) {
    if (one.remedy.empty()) continue;
    try {
      parsed({"--graph", "g", "--partition", std::string(one.name).c_str()});
      FAIL() << one.name;
    } catch (const apps::usage_error& error) {
      EXPECT_NE(std::string(error.what()).find(one.remedy), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace tasuki::sssp
