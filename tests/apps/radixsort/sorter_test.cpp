#include "radixsort/sorter.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "apps/common/thread_ranks.hpp"
#include "radixsort/node.hpp"
#include "radixsort/sequential.hpp"

namespace tasuki::radixsort {
namespace {

/// Ranks that are threads and write into one array of all keys.
class ThreadExchange {
 public:
  using Arrays = std::array<std::vector<Key>, 2>;

  ThreadExchange(apps::ThreadRanks& threads, int rank, apps::Range places, Arrays& arrays)
      : threads_(threads), rank_(rank), places_(places), arrays_(arrays) {}

  apps::Stopwatch& stopwatch() { return stopwatch_; }
  void barrier() { threads_.wait(); }
  std::span<Key> keys() { return apps::slice(arrays_[now_], places_); }
  std::vector<std::int64_t> gather_counts(std::span<const std::int64_t> counts) {
    std::vector<std::int64_t> all;
    for (const auto part : threads_.publish(rank_, counts))
      all.insert(all.end(), part.begin(), part.end());
    threads_.wait();
    return all;
  }
  void open_pass(const PassLayout&) {}
  void write(const Block& block) {
    std::copy(block.keys.begin(), block.keys.end(), arrays_[1 - now_].begin() + block.place);
  }
  void close_pass() {
    threads_.wait();
    now_ = 1 - now_;
  }

 private:
  apps::ThreadRanks& threads_;
  int rank_;
  apps::Range places_;
  Arrays& arrays_;
  std::size_t now_ = 0;
  apps::Stopwatch stopwatch_{[] { return 0.0; }, false};
};

apps::Report sorted(const Options& options, int ranks) {
  const auto count = static_cast<std::size_t>(options.key_count);
  ThreadExchange::Arrays arrays{std::vector<Key>(count), std::vector<Key>(count)};
  std::vector<Result> results(static_cast<std::size_t>(ranks));
  apps::ThreadRanks threads(ranks);
  threads.run([&](int rank) {
    const apps::Range places = apps::part_of({0, options.key_count}, rank, ranks);
    ThreadExchange exchange(threads, rank, places, arrays);
    results[static_cast<std::size_t>(rank)] = sort_keys(options, rank, places, exchange);
  });
  return report_of(results, options);
}

Options options_of(std::int64_t key_count, std::int64_t radix = 10) {
  Options options;
  options.key_count = key_count;
  options.radix = radix;
  return options;
}

TEST(Sorter, SortsAnyNumberOfKeysOnAnyNumberOfRanks) {
  for (const int ranks : {1, 2, 3, 5, 8})
    for (const std::int64_t radix : {2, 10, 256, 4096})
      for (const std::int64_t count : {0, 1, 3, 1000, 20'011}) {
        const apps::Report report = sorted(options_of(count, radix), ranks);
        EXPECT_TRUE(report.verified()) << ranks << " ranks: " << table(report);
      }
}

TEST(Sorter, OneWrongKeyIsReportedAsFailed) {
  for (const int ranks : {1, 2}) {
    Options options = options_of(1000);
    options.perturb = true;
    const apps::Report report = sorted(options, ranks);
    EXPECT_FALSE(report.verified());
    EXPECT_EQ(print(report, false), 1);
  }
}

TEST(Sorter, GivesWhatTheStandardLibraryGives) {
  constexpr std::int64_t count = 10'000;
  SequentialExchange exchange(count);
  generate_keys({0, count}, exchange.keys());
  std::vector<Key> expected(exchange.keys().begin(), exchange.keys().end());
  std::sort(expected.begin(), expected.end());
  Sorter(10, 0, exchange).sort();
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), exchange.keys().begin()));
}

TEST(Result, FindsDisorderWithinAndBetweenRanks) {
  EXPECT_EQ(result_of(std::array<Key, 4>{1, 1, 2, 5}).misplaced, 0);
  EXPECT_EQ(result_of(std::array<Key, 4>{1, 3, 2, 5}).misplaced, 1);
  const auto verified = [](std::array<Key, 2> first, std::array<Key, 2> second) {
    std::vector<Result> results{result_of(first), Result{}, result_of(second)};
    for (Result& result : results) result.hash_before = result.hash_after;
    return report_of(results, options_of(4)).verified();
  };
  EXPECT_TRUE(verified({1, 5}, {5, 6}));
  EXPECT_FALSE(verified({1, 5}, {4, 6}));
}

TEST(Result, AHashTellsOtherKeysButNotAnotherOrder) {
  EXPECT_EQ(hash_of(std::array<Key, 3>{1, 2, 3}), hash_of(std::array<Key, 3>{3, 1, 2}));
  EXPECT_NE(hash_of(std::array<Key, 3>{1, 2, 3}), hash_of(std::array<Key, 3>{2, 2, 2}));
}

}  // namespace
}  // namespace tasuki::radixsort
