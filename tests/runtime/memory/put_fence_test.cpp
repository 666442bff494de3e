// What a fence waits for, put by put. Fences of whole programs: global_ptr_test.cpp,
// litmus_test.cpp.
#include "runtime/memory/put_fence.hpp"

#include "runtime/memory/puts.hpp"
#include "support/rank_test.hpp"

namespace tasuki::test {
namespace {

using PutFenceTest = RankTest;
using runtime::PutFence;
using runtime::Rank;

constexpr runtime::Signal a_signal{.address = 8, .increment = 1};

PutFence& own_fence() { return Rank::current().puts->put_fence(); }

/// The data of a bulk put are here; run on the rank that it goes to.
void arrive(int source) {
  own_fence().count_bulk_arrival(source);
  ++Rank::current().traffic.with(source).done;
}

/// All that was sent to the next rank before is handled there, and what that sends back, here, by
/// the fibers that wait for it too.
void exchange_messages() {
  invoke(next_rank(), [] {});
  invoke(rank(), [] {});
}

TEST_F(PutFenceTest, a_fence_returns_when_the_bulk_data_are_there) {
  const int to = next_rank();
  own_fence().begin_bulk(to);
  own_fence().begin_bulk(to);
  auto fenced = ainvoke(rank(), [] { own_fence().wait(); });
  invoke(rank(), [] {});  // now the fence's question is on its way
  invoke(to, arrive, rank());
  exchange_messages();
  EXPECT_FALSE(fenced.ready());
  invoke(to, arrive, rank());
  fenced.get();
}

TEST_F(PutFenceTest, no_bulk_put_begins_while_a_fence_waits) {
  const int to = next_rank();
  own_fence().begin_bulk(to);
  auto fenced = ainvoke(rank(), [] { own_fence().wait(); });
  auto begun = ainvoke(rank(), [] { own_fence().begin_bulk(next_rank()); });
  invoke(rank(), [] {});
  exchange_messages();
  EXPECT_FALSE(begun.ready());
  invoke(to, arrive, rank());
  fenced.get();
  begun.get();
  invoke(to, arrive, rank());
}

TEST_F(PutFenceTest, nobody_is_asked_unless_something_was_put) {
  const auto& traffic = Rank::current().traffic.with(next_rank());
  own_fence().wait();
  const std::uint64_t begun_count = traffic.begun;
  own_fence().wait();
  own_fence().begin_bulk(next_rank());
  own_fence().take_back_bulk(next_rank());
  own_fence().wait();
  EXPECT_EQ(traffic.begun, begun_count);
  own_fence().count_record(next_rank());
  own_fence().wait();
  EXPECT_EQ(traffic.begun, begun_count + 1);
}

TEST_F(PutFenceTest, signals_are_known_to_be_visible_after_a_fence) {
  const int to = next_rank();
  own_fence().wait();
  EXPECT_TRUE(own_fence().knows_signals_visible(to));
  own_fence().count_record(to);
  own_fence().note_signal(to, {});
  EXPECT_TRUE(own_fence().knows_signals_visible(to)) << "it carries none";
  own_fence().count_record(to);
  own_fence().note_signal(to, a_signal);
  own_fence().count_record(to);
  EXPECT_FALSE(own_fence().knows_signals_visible(to));
  own_fence().wait();
  EXPECT_TRUE(own_fence().knows_signals_visible(to));
}

}  // namespace
}  // namespace tasuki::test
