// Containers that live longer than the job: what may still be done with them, and that the rest is
// one clear error.
//
// The ranks are threads of this process; the objects stay when their jobs are over.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tasuki/containers/array.hpp>
#include <tasuki/containers/bag.hpp>
#include <tasuki/containers/counting_set.hpp>
#include <tasuki/containers/disjoint_set.hpp>
#include <tasuki/containers/halo.hpp>
#include <tasuki/containers/halo_exchange.hpp>
#include <tasuki/containers/hash_map.hpp>
#include <tasuki/tasuki.hpp>
#include <vector>

#include "support/thread_job.hpp"

namespace tasuki::test {
namespace {

constexpr int ranks_count = 2;

/// One of each rank, made in a job that is over.
template <class Object>
std::vector<std::unique_ptr<Object>> left_over(
    const std::function<std::unique_ptr<Object>()>& make) {
  std::vector<std::unique_ptr<Object>> all(ranks_count);
  run_threads(ranks_count, [&] {
    all[static_cast<std::size_t>(rank())] = make();
    quiesce();
  });
  return all;
}

void expect_no_rank(const std::function<void()>& body) {
  try {
    body();
    ADD_FAILURE() << "no tasuki::error was thrown";
  } catch (const error& e) {
    EXPECT_NE(std::string(e.what()).find("tasuki::run has not started or is over"),
              std::string::npos)
        << e.what();
  }
}

TEST(AfterJobTest, AMapHasItsOwnElements) {
  const auto maps = left_over<HashMap<int, int>>([] {
    auto map = std::make_unique<HashMap<int, int>>();
    for (int key = 0; key < 10; ++key) map->async_insert(key, 10 * key);
    return map;
  });
  std::size_t count = 0;
  for (const auto& map : maps) {
    map->local_for_all([&](int key, int value) {
      EXPECT_EQ(value, 10 * key);
      ++count;
    });
    expect_no_rank([&] { map->async_insert(1, 1); });
    expect_no_rank([&] { map->async_visit(1, [](int, int&) {}); });
    expect_no_rank([&] { static_cast<void>(map->async_find(1)); });
    expect_no_rank([&] { map->for_all([](int, int&) {}); });
    expect_no_rank([&] { static_cast<void>(map->size()); });
  }
  EXPECT_EQ(count, 10U);
}

TEST(AfterJobTest, CountsAreRefusedEachTime) {
  const auto sets = left_over<CountingSet<int>>([] {
    auto set = std::make_unique<CountingSet<int>>();
    for (int i = 0; i < 100; ++i) set->async_insert(i % 3);
    return set;
  });
  std::uint64_t total = 0;
  for (const auto& set : sets) {
    for (int i = 0; i < 3; ++i) {
      expect_no_rank([&] { set->async_insert(i); });
    }
    expect_no_rank([&] { static_cast<void>(set->async_count(1)); });
    set->local_for_all([&](int, std::uint64_t times) { total += times; });
  }
  EXPECT_EQ(total, 200U);
}

TEST(AfterJobTest, BagsAndDisjointSetsRefuseWhatOthersTakePartIn) {
  const auto bags = left_over<Bag<int>>([] {
    auto bag = std::make_unique<Bag<int>>();
    bag->async_insert(rank());
    return bag;
  });
  for (const auto& bag : bags) {
    bag->local_insert(1);
    expect_no_rank([&] { bag->async_insert(1); });
    expect_no_rank([&] { bag->process([](int, Bag<int>&) {}); });
  }
  const auto all_sets =
      left_over<DisjointSet<int>>([] { return std::make_unique<DisjointSet<int>>(); });
  for (const auto& sets : all_sets) {
    expect_no_rank([&] { sets->async_union(1, 2); });
    expect_no_rank([&] { sets->compress(); });
  }
}

TEST(AfterJobTest, TheElementsOfAnArrayAreGone) {
  const auto arrays = left_over<Array<int>>([] {
    return std::make_unique<Array<int>>(std::vector<std::int64_t>{8},
                                        std::vector<layout::Distribution>{Block{}});
  });
  for (const auto& array : arrays) {
    EXPECT_EQ(array->extent(0), 8);
    EXPECT_EQ(array->owner(7), 1);
    expect_no_rank([&] { array->local_for_all([](auto, int& element) { element = 1; }); });
    expect_no_rank([&] { array->for_all([](auto, int& element) { element = 1; }); });
    expect_no_rank([&] { static_cast<void>(static_cast<int>(array->at(7))); });
    expect_no_rank([&] { array->at(7) = 3; });
  }
}

TEST(AfterJobTest, ABlockThatAnArrayIsGivenStays) {
  std::vector<std::vector<int>> blocks(ranks_count, std::vector<int>(4, 1));
  const auto arrays = left_over<Array<int>>([&] {
    const layout::ArrayLayout rows({{8, Block{}, size()}}, layout::Grid({size()}), sizeof(int));
    return std::make_unique<Array<int>>(rows, blocks[static_cast<std::size_t>(rank())].data());
  });
  for (const auto& array : arrays) {
    array->local_for_all([](auto, int& element) { ++element; });
  }
  for (const auto& block : blocks) EXPECT_EQ(block, std::vector<int>(4, 2));
}

TEST(AfterJobTest, HalosAreNotExchanged) {
  const auto exchanges = left_over<HaloExchange<int>>([] {
    const CartesianTeam ring(world_team(), {0}, {true});
    return std::make_unique<HaloExchange<int>>(ring, HaloShape{.extents = {4}, .widths = {{1, 1}}});
  });
  std::vector<int> block(6);
  for (const auto& exchange : exchanges) {
    EXPECT_EQ(exchange->memory_count(), block.size());
    for (int i = 0; i < 2; ++i) {
      expect_no_rank([&] { exchange->start(block); });
      expect_no_rank([&] { exchange->finish(block); });
    }
  }
}

TEST(AfterJobTest, AnExchangeIsNotFinished) {
  std::vector<std::vector<int>> blocks(ranks_count, std::vector<int>(6));
  const auto exchanges = left_over<HaloExchange<int>>([&] {
    const CartesianTeam ring(world_team(), {0}, {true});
    auto exchange =
        std::make_unique<HaloExchange<int>>(ring, HaloShape{.extents = {4}, .widths = {{1, 1}}});
    exchange->start(blocks[static_cast<std::size_t>(rank())]);
    return exchange;
  });
  for (std::size_t i = 0; i < exchanges.size(); ++i) {
    expect_no_rank([&] { exchanges[i]->finish(blocks[i]); });
  }
}

/// Destroyed when the program ends, after what threads keep.
std::optional<HashMap<int, int>>& static_map() {
  static std::optional<HashMap<int, int>> map;
  return map;
}

TEST(AfterJobTest, AStaticOneIsDestroyed) {
  run_threads(1, [] { static_map().emplace().async_insert(1, 2); });
  EXPECT_EQ(static_map()->local_size(), 1U);
}

}  // namespace
}  // namespace tasuki::test
