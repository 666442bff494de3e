#include <tasuki/detail/containers/victims.hpp>

#include <algorithm>
#include <set>

#include "support/rank_test.hpp"

namespace tasuki::containers {
namespace {

using VictimsTest = test::RankTest;

TEST_F(VictimsTest, lifelines_lead_from_each_rank_to_all_others) {
  for (int ranks = 1; ranks <= 33; ++ranks) {
    std::set<int> reached{0};
    std::vector<int> to_follow{0};
    while (!to_follow.empty()) {
      const int rank = to_follow.back();
      to_follow.pop_back();
      const Victims victims(rank, ranks);
      for (const int neighbour : victims.lifelines()) {
        ASSERT_LT(neighbour, ranks);
        const Victims theirs(neighbour, ranks);
        const auto back = theirs.lifelines();
        EXPECT_NE(std::find(back.begin(), back.end(), rank), back.end());
        if (reached.insert(neighbour).second) to_follow.push_back(neighbour);
      }
    }
    EXPECT_EQ(reached.size(), static_cast<std::size_t>(ranks));
  }
}

TEST_F(VictimsTest, others_are_asked_and_each_of_them_some_time) {
  Victims victims(2, 5);
  std::set<int> asked;
  for (int i = 0; i < 200; ++i) asked.insert(victims.some().begin(), victims.some().end());
  EXPECT_EQ(asked, (std::set<int>{0, 1, 3, 4}));
  EXPECT_TRUE(Victims(0, 1).some().empty());
}

}  // namespace
}  // namespace tasuki::containers
