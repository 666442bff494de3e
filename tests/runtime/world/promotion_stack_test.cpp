#include "runtime/world/own_idle_work.hpp"
#include "support/rank_test.hpp"

namespace tasuki::test {
namespace {

using predict::Mode;
using PromotionStackTest = RankTest;

TEST_F(PromotionStackTest, a_called_function_that_waits_takes_the_stack_that_is_ready) {
  OwnIdleWork work(Mode::always);
  work.be_idle();
  EXPECT_TRUE(runtime::Waits::current().scheduler().is_promotion_prepared());
  const auto committed = work->counters().committed;
  for (int i = 0; i < 10; ++i) {
    const int result = invoke(
        rank(),
        [](int value) {
          yield();
          return value + 1;
        },
        i);
    EXPECT_EQ(result, i + 1);
    work.be_idle();
  }
  EXPECT_GT(work->counters().committed, committed);
}

TEST_F(PromotionStackTest, messages_that_need_no_stack_cost_one_preparation_in_all) {
  OwnIdleWork work(Mode::guarded);
  for (int messages_count = 0; messages_count < 10'000; ++messages_count) work.be_idle();
  EXPECT_LE(work->counters().predicted, 1);
  EXPECT_EQ(work->counters().committed, 0);
}

TEST_F(PromotionStackTest, calls_that_wait_arrive_everywhere_in_every_mode) {
  for (const Mode mode : {Mode::off, Mode::guarded, Mode::always}) {
    barrier();
    OwnIdleWork work(mode);
    for (int i = 0; i < 50; ++i) {
      const int result = invoke(
          next_rank(),
          [](int value) {
            yield();
            return value + invoke(previous_rank(), [] { return 1; });
          },
          i);
      ASSERT_EQ(result, i + 1);
    }
    barrier();
  }
}

}  // namespace
}  // namespace tasuki::test
