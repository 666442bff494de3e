#include <tasuki/detail/containers/patience.hpp>

#include <chrono>
#include <thread>

#include "support/rank_test.hpp"

namespace tasuki::containers {
namespace {

using PatienceTest = test::RankTest;

int items_until_over(Patience& patience) {
  int count = 1;
  while (!patience.is_over()) ++count;
  return count;
}

TEST_F(PatienceTest, long_items_are_followed_by_one_only) {
  Patience patience;
  for (int i = 0; i < 3; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    patience.renew();
    EXPECT_EQ(items_until_over(patience), 1);
  }
}

TEST_F(PatienceTest, there_is_always_an_end) {
  Patience patience;
  for (int i = 0; i < 100; ++i) {
    patience.renew();
    EXPECT_LE(items_until_over(patience), 1 << 20);
  }
}

}  // namespace
}  // namespace tasuki::containers
