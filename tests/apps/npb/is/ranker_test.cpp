#include "npb/is/ranker.hpp"

#include <gtest/gtest.h>

#include "apps/common/thread_ranks.hpp"

namespace tasuki::npb::is {
namespace {

/// Ranks that are threads: they copy from each other's keys between barriers.
class ThreadExchange {
 public:
  ThreadExchange(ThreadRanks& threads, int rank) : threads_(threads), rank_(rank) {}

  void reserve(std::size_t count) { inbox_.reserve(count); }
  void sum(std::span<std::int32_t> values) { threads_.sum(rank_, values); }
  void sum_parts(std::span<const std::int32_t> counts, std::span<std::int32_t> sums,
                 std::span<const std::size_t> sizes) {
    std::vector<std::int32_t> all(counts.begin(), counts.end());
    threads_.sum(rank_, std::span(all));
    const auto me = static_cast<std::size_t>(rank_);
    const std::size_t begin = std::accumulate(sizes.begin(), sizes.begin() + rank_, std::size_t{0});
    ASSERT_EQ(sums.size(), sizes[me]);
    std::copy_n(all.begin() + static_cast<std::ptrdiff_t>(begin), sizes[me], sums.begin());
  }
  std::span<const Key> move_keys(std::span<const Key> grouped, std::span<const std::size_t> begins,
                                 std::size_t count) {
    const auto me = static_cast<std::size_t>(rank_);
    const auto all_begins = threads_.publish(rank_, begins);
    threads_.wait();
    const auto all_keys = threads_.publish(rank_, grouped);
    inbox_.clear();
    for (std::size_t peer = 0; peer < all_keys.size(); ++peer) {
      if (peer == me) continue;
      const auto first = all_keys[peer].begin();
      inbox_.insert(inbox_.end(), first + static_cast<std::ptrdiff_t>(all_begins[peer][me]),
                    first + static_cast<std::ptrdiff_t>(all_begins[peer][me + 1]));
    }
    threads_.wait();
    EXPECT_EQ(inbox_.size(), count);
    return inbox_;
  }

 private:
  ThreadRanks& threads_;
  int rank_;
  std::vector<Key> inbox_;
};

Report ranked(ProblemClass problem_class, int ranks, Exchanged exchanged, bool perturbed) {
  const Problem problem = problem_of(problem_class);
  std::vector<Result> results(static_cast<std::size_t>(ranks));
  ThreadRanks threads(ranks);
  threads.run([&](int rank) {
    ThreadExchange exchange(threads, rank);
    Ranker ranker(problem, rank, ranks, exchange, exchanged);
    if (perturbed) ranker.perturb();
    Result& result = results[static_cast<std::size_t>(rank)];
    ranker.rank_keys(1);
    for (int iteration = 1; iteration <= iterations; ++iteration)
      result.ranks[static_cast<std::size_t>(iteration - 1)] = ranker.rank_keys(iteration);
    result.order = ranker.order();
    result.measurement.seconds = 1;
  });
  Options options;
  options.problem_class = problem_class;
  return report_of(results, options);
}

constexpr std::array all_ways{Exchanged::cheaper, Exchanged::counts, Exchanged::keys};

void expect_verified(ProblemClass problem_class, int ranks) {
  for (const Exchanged exchanged : all_ways) {
    const Report report = ranked(problem_class, ranks, exchanged, false);
    EXPECT_TRUE(report.verified())
        << ranks << " ranks, way " << static_cast<int>(exchanged) << ": " << table(report);
    EXPECT_EQ(report.checks.size(), 52u);
  }
}

TEST(Ranker, VerifiesClassS) {
  for (const int ranks : {1, 2, 3, 4, 8}) expect_verified(ProblemClass::s, ranks);
}

TEST(Ranker, VerifiesClassW) {
  for (const int ranks : {1, 3}) expect_verified(ProblemClass::w, ranks);
}

TEST(Ranker, OneWrongKeyIsReportedAsFailed) {
  for (const int ranks : {1, 2}) {
    for (const Exchanged exchanged : all_ways) {
      const Report report = ranked(ProblemClass::s, ranks, exchanged, true);
      EXPECT_FALSE(report.verified());
      EXPECT_EQ(print(report, false), 1);
    }
  }
}

TEST(Order, FindsGapsAndDisorder) {
  EXPECT_EQ(order_of(std::array<Key, 4>{1, 1, 2, 5}).misplaced, 0);
  EXPECT_EQ(order_of(std::array<Key, 4>{1, 3, 2, 5}).misplaced, 1);
  EXPECT_EQ(order_of(std::array<Key, 4>{1, -1, 2, 5}).misplaced, 1);
  EXPECT_EQ(order_of(std::array<Key, 2>{-1, 2}).misplaced, 1);
}

TEST(Order, RanksMustContinueEachOther) {
  const auto verified = [](Order first, Order second) {
    std::vector<Result> results(2);
    results[0].order = first;
    results[1].order = second;
    const Report report = report_of(results, {});
    return report.checks[50].passed() && report.checks[51].passed();
  };
  EXPECT_TRUE(verified({30'000, 0, 1, 9}, {35'536, 0, 9, 12}));
  EXPECT_FALSE(verified({30'000, 0, 1, 9}, {35'536, 0, 8, 12}));
  EXPECT_FALSE(verified({30'000, 0, 1, 9}, {35'535, 0, 9, 12}));
  EXPECT_FALSE(verified({30'000, 1, 1, 9}, {35'536, 0, 9, 12}));
}

}  // namespace
}  // namespace tasuki::npb::is
