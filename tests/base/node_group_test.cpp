#include "base/node_group.hpp"

#include <gtest/gtest.h>
#include <tasuki/error.hpp>

#include <string>

namespace tasuki::base {
namespace {

TEST(NodeGroupTest, IsThatOfTheFirstPatternThatMatches) {
  EXPECT_EQ(node_group_of("a", "a,b;c,d"), 0);
  EXPECT_EQ(node_group_of("d", "a,b;c,d"), 1);
  EXPECT_EQ(node_group_of("n12", "n[0-9];n1*; n2* ,login"), 1);
  EXPECT_EQ(node_group_of("login", "n[0-9];n1*; n2* ,login"), 2);
}

TEST(NodeGroupTest, HostsAreKnownWithoutTheirDomain) {
  EXPECT_EQ(node_group_of("a.cluster.example", "b;a"), 1);
  EXPECT_EQ(node_group_of("a.cluster.example", "*.other.example;*.cluster.example"), 1);
}

TEST(NodeGroupTest, WithoutGroupsThereIsNone) { EXPECT_EQ(node_group_of("a", ""), -1); }

TEST(NodeGroupTest, AHostInNoGroupIsAnError) {
  try {
    node_group_of("e", "a,b;c,d");
    FAIL() << "accepted";
  } catch (const error& failure) {
    const std::string text = failure.what();
    EXPECT_NE(text.find("e is in none of the groups 'a,b;c,d'"), std::string::npos) << text;
    EXPECT_NE(text.find("TASUKI_NODE_GROUPS"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace tasuki::base
