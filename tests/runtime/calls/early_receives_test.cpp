#include <algorithm>
#include <chrono>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "runtime/calls/dispatcher.hpp"
#include "runtime/world/own_idle_work.hpp"
#include "support/rank_test.hpp"

namespace tasuki::test {
namespace {

using EarlyReceivesTest = RankTest;
using predict::Mode;
using runtime::EarlyReceives;
using Values = std::vector<std::uint32_t>;

/// Longer than any message of a transport that posts receives.
constexpr std::size_t values_count = 8'000;

EarlyReceives& own_receives() { return runtime::Rank::current().dispatcher->early_receives(); }

bool posts_receives_for(int rank) {
  struct NeverDone : transport::Completion {
  } never;
  std::vector<std::byte> memory(values_count * sizeof(Values::value_type));
  transport::Lane& lane = runtime::Rank::current().transport.lane(rank);
  const int number = lane.post_single_receive(memory, &never);
  if (number == transport::Lane::no_posted_receive) return false;
  lane.take_back(number);
  return true;
}

/// Can the transport post single receives for the rank whose calls come here, or for that whose
/// answers do?
bool posts_receives() {
  return posts_receives_for(previous_rank()) || posts_receives_for(next_rank());
}

Values doubled(Values values) {
  for (std::uint32_t& value : values) value *= 2;
  return values;
}

/// Calls the next rank with so many values; wrong unless the call and its answer arrive whole.
bool calls_right(std::size_t count, std::uint32_t first) {
  Values values(count);
  std::iota(values.begin(), values.end(), first);
  const Values answer = invoke(next_rank(), doubled, values);
  return answer == doubled(values);
}

TEST_F(EarlyReceivesTest, records_of_one_length_come_to_posted_receives) {
  constexpr std::uint32_t calls_count = 40;
  OwnIdleWork work(Mode::guarded);
  const bool posts = posts_receives();
  const std::int64_t hits_before = own_receives().counters().hit;
  for (std::uint32_t call = 0; call < calls_count; ++call) {
    EXPECT_TRUE(calls_right(values_count, call));
    work.be_idle_once(0);
    barrier();
  }
  const std::int64_t hits_count = own_receives().counters().hit - hits_before;
  EXPECT_EQ(hits_count > 0, posts) << hits_count;
}

TEST_F(EarlyReceivesTest, many_records_come_at_once) {
  constexpr std::uint32_t calls_count = 200;
  const OwnIdleWork work(Mode::always);
  std::uint64_t sum = 0;
  const auto sums = allgather(as_address(&sum));
  const auto add = [](Address<std::uint64_t> to, const Values& values) {
    yield();  // Its memory is in use while more comes.
    *to.pointer += std::accumulate(values.begin(), values.end(), std::uint64_t{0});
  };
  for (std::uint32_t call = 0; call < calls_count; ++call) {
    post(next_rank(), add, sums[static_cast<std::size_t>(next_rank())], Values(values_count, call));
    if (call < 4) barrier();
  }
  quiesce();
  EXPECT_EQ(sum, std::uint64_t{calls_count} * (calls_count - 1) / 2 * values_count);
}

TEST_F(EarlyReceivesTest, a_receive_is_taken_back_when_nothing_comes_to_it) {
  constexpr std::size_t lengths_count = 3;
  constexpr std::uint32_t calls_per_length = 2 * EarlyReceives::unused_records_least;
  OwnIdleWork work(Mode::always);
  const bool posts = posts_receives();
  for (std::size_t length = 1; length <= lengths_count; ++length) {
    const predict::Counters before = own_receives().counters();
    for (std::uint32_t call = 0; call < calls_per_length; ++call) {
      EXPECT_TRUE(calls_right(values_count + length, call));
      work.be_idle_once(0);  // Ranks that call each other in turn may have no idle time.
    }
    barrier();
    EXPECT_EQ(own_receives().counters().hit > before.hit, posts) << "length " << length;
    // Those of the length before.
    EXPECT_TRUE(length == 1 || (own_receives().counters().miss > before.miss) == posts);
  }
}

TEST_F(EarlyReceivesTest, wrong_predictions_change_nothing) {
  constexpr std::uint32_t calls_count = 100;
  const OwnIdleWork work(Mode::always);
  std::minstd_rand random(static_cast<unsigned>(rank()) + 1);
  for (std::uint32_t call = 0; call < calls_count; ++call) {
    // Two lengths, so that right and wrong predictions follow each other.
    EXPECT_TRUE(calls_right(values_count + random() % 2, call));
  }
  EXPECT_LE(own_receives().receives_count(), EarlyReceives::receives_most);
}

TEST_F(EarlyReceivesTest, an_unpredictable_stream_has_no_receives) {
  constexpr std::uint32_t calls_count = 100;
  OwnIdleWork work(Mode::guarded);
  std::minstd_rand random(static_cast<unsigned>(rank()) + 1);
  for (std::uint32_t call = 0; call < calls_count; ++call) {
    EXPECT_TRUE(calls_right(values_count + std::size_t{2} * call + random() % 2, call));
    work.be_idle_once(0);
  }
  // What was posted before is taken back, which takes both ends, and idle times: the calls of a
  // rank that is late come here now.
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (own_receives().receives_count() != 0 && std::chrono::steady_clock::now() < until) {
    work.be_idle_once(0);
    yield();
  }
  EXPECT_EQ(own_receives().receives_count(), 0u);
  barrier();
}

TEST_F(EarlyReceivesTest, a_long_record_overtakes_no_call_made_before) {
  constexpr int pairs_count = 60;
  const OwnIdleWork work(Mode::always);
  for (std::uint32_t call = 0; call < 8; ++call) {  // So that a receive is posted.
    EXPECT_TRUE(calls_right(values_count, call));
  }
  std::vector<int> log;
  const auto logs = allgather(as_address(&log));
  const Address<std::vector<int>> there = logs[static_cast<std::size_t>(next_rank())];
  const auto note = [](Address<std::vector<int>> in, int number) { in.pointer->push_back(number); };
  const auto note_long = [](Address<std::vector<int>> in, int number, const Values&) {
    in.pointer->push_back(number);
  };
  const Values values(values_count);
  for (int pair = 0; pair < pairs_count; ++pair) {
    post(next_rank(), note, there, 2 * pair);
    post(next_rank(), note_long, there, 2 * pair + 1, values);
    if (pair % 8 == 0) barrier();
  }
  quiesce();
  ASSERT_EQ(log.size(), std::size_t{2} * pairs_count);
  for (int pair = 0; pair < pairs_count; ++pair) {
    const auto at = [&](int number) { return std::find(log.begin(), log.end(), number); };
    EXPECT_LT(at(2 * pair), at(2 * pair + 1)) << "pair " << pair;
  }
}

TEST_F(EarlyReceivesTest, forgotten_lengths_have_one_receive) {
  const OwnIdleWork work(Mode::guarded);
  const auto take = [](const Values&) {};
  const auto send = [&](std::size_t length) { post(next_rank(), take, Values(length)); };
  // More lengths than are remembered, while the target is never idle.
  for (int count = 0; count < EarlyReceives::equal_records_least; ++count) send(values_count);
  for (std::size_t other = 1; other <= 8; ++other) send(values_count + other);
  for (int count = 0; count < EarlyReceives::equal_records_least; ++count) send(values_count);
  quiesce();
  for (std::size_t length = 0; length < 3; ++length) {
    for (std::uint64_t count = 0; count < 2 * EarlyReceives::unused_records_least; ++count) {
      send(values_count + 10 * length);
      if (count % 16 == 0) barrier();
    }
  }
  quiesce();
  EXPECT_LE(own_receives().receives_count(), EarlyReceives::receives_most);
}

TEST_F(EarlyReceivesTest, all_ranks_send_to_one) {
  constexpr std::uint32_t calls_count = 60;
  const OwnIdleWork work(Mode::always);
  for (std::uint32_t call = 0; call < calls_count; ++call) {
    const Values values(values_count + static_cast<std::size_t>(rank()), call);
    EXPECT_EQ(invoke(0, doubled, values), doubled(values));
    EXPECT_LE(own_receives().receives_count(), EarlyReceives::receives_most);
  }
}

}  // namespace
}  // namespace tasuki::test
