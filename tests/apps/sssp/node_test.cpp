#include "sssp/node.hpp"

#include <gtest/gtest.h>

#include <deque>

#include "apps/sssp/thread_exchange.hpp"

namespace tasuki::sssp {
namespace {

/// How long the next timed searches of this rank, which is a thread, take; it is asked twice of
/// each.
thread_local std::deque<double> durations_s;
thread_local bool is_running = false;

double now_s() {
  is_running = !is_running;
  if (is_running) return 0;
  const double duration_s = durations_s.front();
  durations_s.pop_front();
  return duration_s;
}

/// Two nodes and an arc, on two ranks.
Problem small_problem() {
  EdgeList list;
  list.node_count = 2;
  list.arcs = {{0, 1, 5}};
  Problem problem;
  problem.graph = Graph(list);
  problem.owners = {0, 1};
  return problem;
}

/// What the ranks find when their searches take so long.
std::vector<Result> found(std::vector<std::deque<double>> durations, std::int64_t searches) {
  const Problem problem = small_problem();
  std::vector<Result> results(durations.size());
  const int ranks = static_cast<int>(results.size());
  apps::ThreadRanks threads(ranks);
  threads.run([&](int rank) {
    const auto index = static_cast<std::size_t>(rank);
    durations_s = durations[index];
    ThreadExchange exchange(threads, rank, ranks, now_s);
    Options options;
    options.searches = searches;
    results[index] = search(options, problem, exchange);
  });
  return results;
}

TEST(SearchOfARank, AllMeasureTheSearchThatIsInTheMiddleOnRankZero) {
  const auto results = found({{0.1, 0.2, 0.3}, {0.6, 0.7, 0.5}}, 3);
  EXPECT_EQ(results[0].measurement.seconds, 0.2);
  EXPECT_EQ(results[1].measurement.seconds, 0.7);
  EXPECT_EQ(results[0].search_seconds, (std::vector<double>{0.1, 0.2, 0.3}));
  EXPECT_EQ(results[0].distances, (std::vector<Distance>{0, 5}));
}

TEST(SearchOfARank, IsNotRepeatedWhenItTakesLong) {
  for (const Result& result : found({{0.5, 0.6}, {0.1, 0.1}}, 5))
    EXPECT_EQ(result.search_seconds.size(), 2U);
}

}  // namespace
}  // namespace tasuki::sssp
