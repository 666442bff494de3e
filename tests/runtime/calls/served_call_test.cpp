#include <tasuki/served_call.hpp>

#include "support/rank_test.hpp"

namespace tasuki::test {
namespace {

using ServedCallTest = RankTest;

TEST_F(ServedCallTest, what_is_done_later_knows_its_caller) {
  std::vector<ServedCall> kept;
  const auto all = allgather(global_ptr(&kept));
  post(
      next_rank(), [](GlobalPtr<std::vector<ServedCall>> calls) { calls.raw()->emplace_back(); },
      all[static_cast<std::size_t>(next_rank())]);
  quiesce();
  ASSERT_EQ(kept.size(), 1U);
  int known = -1;
  kept.front().go_on([&] {
    invoke(next_rank(), [] {});  // It may wait.
    known = caller();
  });
  EXPECT_EQ(known, previous_rank());
  EXPECT_TRUE(contains(error_of([] { caller(); }), "no other function has been called here"));
}

TEST_F(ServedCallTest, who_serves_no_call_has_none) {
  EXPECT_TRUE(contains(error_of([] { const ServedCall none; }), "no other function"));
}

}  // namespace
}  // namespace tasuki::test
