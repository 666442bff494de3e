#include "runtime/world/own_idle_work.hpp"
#include "support/rank_test.hpp"

namespace tasuki::test {
namespace {

using predict::Mode;
using IdleWorkTest = RankTest;

TEST_F(IdleWorkTest, does_nothing_where_it_is_off) {
  for (const Mode mode : {Mode::off, Mode::fixed}) {
    OwnIdleWork work(mode);
    EXPECT_FALSE(work->run(0));
    EXPECT_EQ(work->counters().idle, 0);
  }
}

TEST_F(IdleWorkTest, counts_idle_times_not_polls) {
  OwnIdleWork work(Mode::guarded);
  for (int times_count = 0; times_count < 3; ++times_count) work.be_idle();
  EXPECT_EQ(work->counters().idle, 3);
}

}  // namespace
}  // namespace tasuki::test
