#include "base/node_group.hpp"

#include <gtest/gtest.h>
#include <tasuki/error.hpp>

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace tasuki::base {
namespace {

int number_of(const char* host, const char* groups) { return node_group_of(host, groups).number; }

TEST(NodeGroupTest, IsThatOfTheFirstPatternThatMatches) {
  EXPECT_EQ(number_of("a", "a,b;c,d"), 0);
  EXPECT_EQ(number_of("d", "a,b;c,d"), 1);
  EXPECT_EQ(number_of("n12", "n[0-9];n1*; n2* ,login"), 1);
  EXPECT_EQ(number_of("login", "n[0-9];n1*; n2* ,login"), 2);
}

TEST(NodeGroupTest, HostsAreKnownWithoutTheirDomain) {
  EXPECT_EQ(number_of("a.cluster.example", "b;a"), 1);
  EXPECT_EQ(number_of("a.cluster.example", "*.other.example;*.cluster.example"), 1);
}

TEST(NodeGroupTest, WithoutGroupsThereIsNone) {
  EXPECT_EQ(number_of("a", ""), NodeGroup::unknown);
  EXPECT_EQ(number_of("a", "  "), NodeGroup::unknown);
}

TEST(NodeGroupTest, AHostMayBeInNone) {
  EXPECT_EQ(number_of("e", "a,b;c,d"), NodeGroup::in_none);
  EXPECT_EQ(number_of("e", ";"), NodeGroup::in_none);
}

void expect_not_called(const void*, std::size_t, void*) { ADD_FAILURE() << "called"; }

TEST(NodeGroupTest, RanksThatAgreeHaveNumbers) {
  const std::vector<NodeGroup> of_ranks{node_group_of("c", "a;b,c"), node_group_of("a", " a;b,c ")};
  check_node_groups(of_ranks, expect_not_called);
  EXPECT_EQ(node_group_numbers(of_ranks), (std::vector<int>{1, 0}));
}

TEST(NodeGroupTest, BlanksMakeNoOtherGroups) {
  const std::vector<NodeGroup> of_ranks{node_group_of("c", "a,d;b,c"),
                                        node_group_of("a", "a, d; b ,c"),
                                        node_group_of("d", "\ta ,d ;b,\tc ")};
  check_node_groups(of_ranks, expect_not_called);
  EXPECT_EQ(node_group_numbers(of_ranks), (std::vector<int>{1, 0, 0}));
}

TEST(NodeGroupTest, ABlankInAPatternBelongsToIt) {
  EXPECT_NE(node_group_of("a", "a b;c").groups_hash, node_group_of("a", "ab;c").groups_hash);
  EXPECT_EQ(number_of("a b", "c; a b "), 1);
}

TEST(NodeGroupTest, WithoutGroupsThereAreNoNumbers) {
  const std::vector<NodeGroup> of_ranks(3, node_group_of("a", ""));
  check_node_groups(of_ranks, expect_not_called);
  EXPECT_TRUE(node_group_numbers(of_ranks).empty());
}

/// A rank's host and its TASUKI_NODE_GROUPS.
struct RankOf {
  const char* host;
  const char* groups;
};

/// What the check says; the first rank makes it.
std::string refusal(const std::vector<RankOf>& ranks) {
  std::vector<NodeGroup> of_ranks;
  for (const RankOf& one : ranks) of_ranks.push_back(node_group_of(one.host, one.groups));
  const auto allgather = [&](const void* own, std::size_t bytes, void* all) {
    ASSERT_EQ(bytes, sizeof(HostAndGroups));
    auto* const told = static_cast<HostAndGroups*>(all);
    std::memcpy(told, own, bytes);
    for (std::size_t rank = 1; rank < ranks.size(); ++rank) {
      told[rank] = {};
      std::strcpy(told[rank].host.data(), ranks[rank].host);
      std::strcpy(told[rank].groups.data(), ranks[rank].groups);
    }
  };
  ::setenv("TASUKI_NODE_NAME", ranks[0].host, 1);
  ::setenv("TASUKI_NODE_GROUPS", ranks[0].groups, 1);
  std::string said = "accepted";
  try {
    check_node_groups(of_ranks, allgather);
  } catch (const error& failure) {
    said = failure.what();
  }
  ::unsetenv("TASUKI_NODE_NAME");
  ::unsetenv("TASUKI_NODE_GROUPS");
  return said;
}

TEST(NodeGroupTest, RanksWithOtherGroupsAreNamed) {
  const std::string said = refusal({{"a", "a;b"}, {"b", "a;b"}, {"b", "b;a"}, {"c", ""}});
  EXPECT_NE(said.find("TASUKI_NODE_GROUPS is 'a;b' on rank 0 (host a) but 'b;a' on rank 2 (host "
                      "b); it differs from rank 0's on 2 of 4 ranks"),
            std::string::npos)
      << said;
  EXPECT_NE(said.find("-x TASUKI_NODE_GROUPS"), std::string::npos) << said;
}

TEST(NodeGroupTest, RanksWithoutGroupsBesideOthersAreNamed) {
  const std::string first = refusal({{"a", ""}, {"b", "a;b"}});
  EXPECT_NE(first.find("is not set on rank 0 (host a) but 'a;b' on rank 1 (host b)"),
            std::string::npos)
      << first;
  const std::string other = refusal({{"a", "a;b"}, {"b", ""}});
  EXPECT_NE(other.find("is 'a;b' on rank 0 (host a) but not set on rank 1 (host b); it differs "
                       "from rank 0's on 1 of 2 "),
            std::string::npos)
      << other;
}

TEST(NodeGroupTest, AHostInNoGroupIsNamed) {
  const std::string said = refusal({{"a", "a,b;c,d"}, {"e", "a,b;c,d"}});
  EXPECT_NE(said.find("host e (rank 1) is in none of the groups 'a,b;c,d'"), std::string::npos)
      << said;
  EXPECT_NE(said.find("add it to one of them in TASUKI_NODE_GROUPS"), std::string::npos) << said;
}

TEST(NodeGroupTest, LongGroupsAreCutOff) {
  const std::string groups = "a;" + std::string(300, 'b');
  const std::string said = refusal({{"a", groups.c_str()}, {"b", ""}});
  EXPECT_NE(said.find("bbb...' on rank 0 (host a)"), std::string::npos) << said;
}

}  // namespace
}  // namespace tasuki::base
