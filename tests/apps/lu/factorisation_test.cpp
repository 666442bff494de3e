#include "lu/factorisation.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "apps/common/thread_ranks.hpp"
#include "lu/node.hpp"

namespace tasuki::lu {
namespace {

/// All panels of a round, each in its own memory, handed over in lock step.
class ThreadExchange {
 public:
  using Rooms = std::vector<std::vector<double>>;

  ThreadExchange(apps::ThreadRanks& threads, int rank, const Layout& layout, Rooms& rooms)
      : threads_(threads), rank_(rank), layout_(layout), rooms_(rooms) {}

  apps::Stopwatch& stopwatch() { return stopwatch_; }
  void barrier() { threads_.wait(); }
  std::span<double> room(int index) {
    auto& room = rooms_[static_cast<std::size_t>(index)];
    room.resize(panel_size(layout_, index));
    return room;
  }
  void send(int) { ++sent_; }
  void expect(int) { ++expected_; }
  std::span<const double> receive(int index) {
    threads_.wait();
    return rooms_[static_cast<std::size_t>(index)];
  }
  void release(int) { threads_.wait(); }
  void progress() {}
  void sum(std::span<double> values) { threads_.sum(rank_, values); }
  int treated() const { return sent_ + expected_; }

 private:
  apps::ThreadRanks& threads_;
  int rank_;
  Layout layout_;
  Rooms& rooms_;
  int sent_ = 0;
  int expected_ = 0;
  apps::Stopwatch stopwatch_{[] { return 0.0; }, false};
};

apps::Report solved(const Options& options, int ranks) {
  const Layout layout = layout_of(options, ranks);
  ThreadExchange::Rooms rooms(static_cast<std::size_t>(layout.block_count()));
  std::vector<Result> results(static_cast<std::size_t>(ranks));
  apps::ThreadRanks threads(ranks);
  use_one_thread();
  threads.run([&](int rank) {
    ThreadExchange exchange(threads, rank, layout, rooms);
    results[static_cast<std::size_t>(rank)] = solve(options, rank, ranks, exchange);
    EXPECT_EQ(exchange.treated(), 3 * layout.block_count());
  });
  return report_of(results, options, [] { return 0.0; });
}

Options options_of(std::int64_t n, std::int64_t block) {
  Options options;
  options.n = n;
  options.block = block;
  return options;
}

TEST(Factorisation, HasASmallResidualForAnySizes) {
  for (const int ranks : {1, 2, 3, 5})
    for (const std::int64_t n : {1, 2, 31, 64, 97, 200})
      for (const std::int64_t block : {1, 8, 64}) {
        const apps::Report report = solved(options_of(n, block), ranks);
        EXPECT_TRUE(report.verified()) << ranks << " ranks: " << table(report);
      }
}

TEST(Factorisation, OneWrongElementIsReportedAsFailed) {
  for (const int ranks : {1, 2}) {
    Options options = options_of(50, 8);
    options.perturb = true;
    const apps::Report report = solved(options, ranks);
    EXPECT_FALSE(report.verified());
    EXPECT_EQ(print(report, false), 1);
  }
}

TEST(Permutation, FollowsTheExchangesOfAllBlocks) {
  // Rows 0 and 2 change places, then (second block, counted from row 2) rows 2 and 3.
  EXPECT_EQ(permutation(Layout(4, 2, 1), std::vector<int>{3, 2, 2, 2}),
            (std::vector<int>{2, 1, 3, 0}));
}

TEST(Generator, GivesEachElementOnAnyRank) {
  std::vector<double> whole(100);
  std::vector<double> part(50);
  generate_columns(Layout(10, 5, 1), 0, {}, {whole.data(), 10, 10, 10});
  generate_columns(Layout(10, 5, 2), 1, {}, {part.data(), 10, 5, 10});
  EXPECT_TRUE(std::equal(part.begin(), part.end(), whole.begin() + 50));
  EXPECT_NE(whole[0], whole[1]);
  for (const double element : whole) EXPECT_LE(std::abs(element), 0.5);
}

}  // namespace
}  // namespace tasuki::lu
