#include <utility>
#include <vector>

#include <tasuki/detail/base/clock.hpp>

#include "support/rank_test.hpp"

namespace tasuki::test {
namespace {

using QuiesceTest = RankTest;

/// A call that makes two more, until `depth` is used up; counts itself where it runs.
void spread(std::uint64_t counters, int depth) {
  auto* counter =
      static_cast<int*>(runtime::wait_for_dist_object(runtime::Rank::current(), counters));
  ++*counter;
  if (depth == 0) return;
  post(next_rank(), spread, counters, depth - 1);
  post((rank() + 3) % size(), spread, counters, depth - 1);
}

TEST_F(QuiesceTest, calls_made_by_calls_are_waited_for) {
  DistObject<int> counter(0);
  if (rank() == 0) post(next_rank(), spread, counter.id(), 9);
  quiesce();
  EXPECT_EQ(allreduce(*counter, Sum{}), 1023);
  barrier();
}

TEST_F(QuiesceTest, waiting_calls_are_waited_for) {
  DistObject<int> done(0);
  for (int i = 0; i < 30; ++i) {
    post(
        next_rank(),
        [](std::uint64_t id) {
          for (int turn = 0; turn < 10; ++turn) yield();
          invoke(previous_rank(), [] { yield(); });
          ++*static_cast<int*>(runtime::wait_for_dist_object(runtime::Rank::current(), id));
        },
        done.id());
  }
  quiesce();
  EXPECT_EQ(*done, 30);
  barrier();
}

/// An argument with more to do where it ends.
struct Lingering {
  std::uint64_t counter = 0;
  bool has_arrived = false;

  explicit Lingering(std::uint64_t its_counter = 0) : counter(its_counter) {}
  Lingering(const Lingering& other) : counter(other.counter) {}
  Lingering(Lingering&& other) noexcept
      : counter(other.counter), has_arrived(std::exchange(other.has_arrived, false)) {}
  Lingering& operator=(const Lingering&) = delete;
  ~Lingering() {
    if (!has_arrived) return;
    const std::int64_t later_ns = base::now_ns() + 20'000'000;
    while (base::now_ns() < later_ns) yield();
    ++*static_cast<int*>(runtime::wait_for_dist_object(runtime::Rank::current(), counter));
  }
  template <class Archive>
  void save(Archive& archive) const {
    archive(counter);
  }
  template <class Archive>
  void load(Archive& archive) {
    archive(counter);
    has_arrived = true;
  }
};

Future<void> end_later(const Lingering&) {
  co_await ainvoke(next_rank(), [] {});
}

TEST_F(QuiesceTest, the_ends_of_arguments_are_waited_for) {
  DistObject<int> ended(0);
  post(
      next_rank(), [](const Lingering&) {}, Lingering(ended.id()));
  quiesce();
  EXPECT_EQ(*ended, 1);
  barrier();
  post(next_rank(), end_later, Lingering(ended.id()));
  quiesce();
  EXPECT_EQ(*ended, 2);
  barrier();
}

TEST_F(QuiesceTest, writes_are_visible_afterwards) {
  std::vector<int> own(2000, -1);
  const auto all = allgather(global_ptr(own.data()));
  const std::vector<int> data(2000, rank());
  all[static_cast<std::size_t>(next_rank())].nwrite(data.data(), data.size());
  quiesce();
  EXPECT_EQ(own, std::vector<int>(2000, previous_rank()));
}

TEST_F(QuiesceTest, again_and_again) {
  DistObject<int> counter(0);
  for (int round = 1; round <= 20; ++round) {
    for (int target = 0; target < size(); ++target) post(target, spread, counter.id(), 1);
    quiesce();
    EXPECT_EQ(allreduce(*counter, Sum{}), round * 3 * size() * size());
  }
  barrier();
}

TEST_F(QuiesceTest, flush_sends_what_is_aggregated) {
  bool flag = false;
  const auto flags = allgather(as_address(&flag));
  post(
      next_rank(), [](Address<bool> set) { *set.pointer = true; },
      flags[static_cast<std::size_t>(next_rank())]);
  flush();
  while (!flag) yield();
  barrier();
}

}  // namespace
}  // namespace tasuki::test
