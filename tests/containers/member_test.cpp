#include <tasuki/detail/containers/member.hpp>

#include <tasuki/team_calls.hpp>

#include "support/rank_test.hpp"

namespace tasuki::containers {
namespace {

using test::contains;
using test::error_of;
using test::next_rank;
using test::previous_rank;
using MemberTest = test::RankTest;

/// The least that a container is.
class Lamps {
 public:
  static constexpr const char* kind = "Lamps";
  explicit Lamps(const Team& team = world_team()) : member_(kind, this, team) {}
  Member& member() noexcept { return member_; }
  void async_light(int rank, int hops = 0) {
    member_.post<Lamps>(
        rank,
        [](Lamps& lamps, int more) {
          ++lamps.count;
          lamps.last_caller = caller();
          const int next = (lamps.member_.rank() + 1) % lamps.member_.ranks();
          if (more > 0) lamps.async_light(next, more - 1);
        },
        hops);
  }
  /// Waits there until there is a light, but not for ever.
  void async_await_light(int rank) {
    member_.post<Lamps>(rank, [](Lamps& lamps) {
      for (int i = 0; i < 10'000 && lamps.count == 0; ++i) yield();
      lamps.has_seen_light = lamps.count != 0;
    });
  }
  int count = 0;
  bool has_seen_light = false;
  int last_caller = -1;
  bool is_iterating = false;
  bool is_waited_for = false;
  bool is_quiesced = false;

 private:
  Member member_;
};

TEST_F(MemberTest, calls_and_what_they_call_are_done_when_complete_returns) {
  Lamps lamps;
  lamps.async_light(next_rank(), 9);
  lamps.member().complete("test");
  EXPECT_EQ(allreduce(lamps.count, Sum{}), 10 * size());
}

TEST_F(MemberTest, a_team_of_some_ranks_waits_for_its_own_calls) {
  const Team half = world_team().split(rank() % 2);
  Lamps lamps(half);
  EXPECT_EQ(lamps.member().ranks(), half.size());
  lamps.async_light((half.rank() + 1) % half.size(), 9);
  lamps.member().complete("test");
  EXPECT_EQ(allreduce(lamps.count, Sum{}, half), 10 * half.size());
}

TEST_F(MemberTest, what_arrives_during_an_iteration_runs_after_it_in_order) {
  Lamps lamps;
  lamps.member().iterate_together("test", [&] {
    for (int i = 0; i < 3; ++i) lamps.async_light(next_rank());
    for (int i = 0; i < 100; ++i) yield();
    EXPECT_EQ(lamps.count, 0);
    barrier();
  });
  lamps.member().complete("test");
  EXPECT_EQ(lamps.count, 3);
}

/// An outsider has begun the iteration, so the team waits for it only because of the call.
TEST_F(MemberTest, quiesce_of_a_team_waits_for_what_waits_for_an_iteration) {
  if (size() < 3) return;
  const Team pair = world_team().split(rank() < 2 ? 0 : 1);
  Lamps lamps;
  Future<void> iterated = ready_future();
  if (rank() == 2) {
    iterated = lamps.member().ask<Lamps>(0, [](Lamps& theirs) {
      theirs.member().iterate([&] {
        theirs.is_iterating = true;
        while (!theirs.is_waited_for) yield();
        // Long enough for a quiesce that waits for nothing.
        for (int i = 0; i < 2000 && !theirs.is_quiesced; ++i) yield();
      });
    });
  }
  if (rank() == 0) {
    while (!lamps.is_iterating) yield();
  }
  barrier();
  if (rank() == 1) {
    lamps.async_light(0);
    lamps.member().ask<Lamps>(0, [](Lamps& theirs) { theirs.is_waited_for = true; }).get();
  }
  if (rank() < 2) quiesce(pair);
  lamps.is_quiesced = true;
  EXPECT_EQ(lamps.count, rank() == 0 ? 1 : 0);
  iterated.get();
  barrier();
}

TEST_F(MemberTest, what_has_waited_for_an_iteration_knows_its_caller) {
  Lamps lamps;
  lamps.member().iterate_together("test", [&] {
    lamps.async_light(next_rank());
    invoke(next_rank(), [] {});  // Now it has arrived there.
    barrier();
    EXPECT_EQ(lamps.last_caller, -1);
  });
  EXPECT_EQ(lamps.last_caller, previous_rank());
  EXPECT_TRUE(contains(error_of([] { caller(); }), "no other function has been called here"));
}

// The first call waits for what the one behind it does.
TEST_F(MemberTest, a_call_that_waits_holds_up_no_other) {
  Lamps lamps;
  lamps.member().iterate_together("test", [&] {
    lamps.async_await_light(next_rank());
    lamps.async_light(next_rank());
    invoke(next_rank(), [] {});  // Now they have arrived there.
    barrier();
  });
  lamps.member().complete("test");
  EXPECT_TRUE(lamps.has_seen_light);
}

// The call waits for what its rank does after the iteration.
TEST_F(MemberTest, a_call_that_waits_does_not_hold_up_who_has_iterated) {
  Lamps lamps;
  lamps.member().iterate_together("test", [&] {
    lamps.async_await_light(next_rank());
    invoke(next_rank(), [] {});
    barrier();
  });
  ++lamps.count;
  lamps.member().complete("test");
  EXPECT_TRUE(lamps.has_seen_light);
}

TEST_F(MemberTest, what_has_waited_for_an_iteration_has_run_when_another_one_begins) {
  Lamps lamps;
  lamps.member().iterate_together("test", [&] {
    for (int i = 0; i < 10; ++i) lamps.async_light(next_rank());
    invoke(next_rank(), [] {});
    barrier();
  });
  lamps.member().iterate([&] { EXPECT_EQ(lamps.count, 10); });
  barrier();
  for (int i = 0; i < 10; ++i) lamps.async_light(next_rank());
  lamps.member().complete("test");
  EXPECT_EQ(lamps.count, 20);
}

TEST_F(MemberTest, an_iteration_that_throws_ends) {
  Lamps lamps;
  EXPECT_THROW(lamps.member().iterate([] { throw std::runtime_error("out of oil"); }),
               std::runtime_error);
  lamps.member().require_no_iteration("test");
}

TEST_F(MemberTest, a_collective_operation_in_an_iteration_is_an_error) {
  Lamps lamps;
  lamps.member().iterate([&] {
    const std::string text = error_of([&] { lamps.member().complete("size"); });
    EXPECT_TRUE(contains(text, "Lamps::size: it was called by a function that an iteration"))
        << text;
    EXPECT_TRUE(contains(text, "Remedy: call it after the iteration")) << text;
  });
}

TEST_F(MemberTest, a_key_of_another_rank_is_an_error) {
  Lamps lamps;
  lamps.member().require_own(rank(), "local_find");
  const std::string text = error_of([&] { lamps.member().require_own(rank() + 1, "local_find"); });
  EXPECT_TRUE(contains(text, "Lamps::local_find: the key belongs to rank")) << text;
}

TEST_F(MemberTest, a_team_of_no_ranks_is_an_error) {
  const Team none = world_team().split(-1);
  const std::string text = error_of([&] { const Lamps lamps(none); });
  EXPECT_TRUE(contains(text, "the team is empty")) << text;
}

TEST_F(MemberTest, a_call_to_what_is_gone_is_an_error) {
  auto lamps = std::make_unique<Lamps>();
  barrier();
  if (rank() == 0) lamps.reset();
  barrier();
  if (rank() == size() - 1 && size() > 1) {
    auto answer = lamps->member().ask<Lamps>(0, [](const Lamps& theirs) { return theirs.count; });
    const std::string text = error_of([&] { answer.get(); });
    EXPECT_TRUE(contains(text, "Lamps: this rank has destroyed it")) << text;
    EXPECT_TRUE(contains(text, "rank 0")) << text;
  }
  barrier();
}

}  // namespace
}  // namespace tasuki::containers
