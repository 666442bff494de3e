#include <ctime>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "support/rank_test.hpp"

namespace tasuki::test {
namespace {

using WhenAllTest = RankTest;

int twice(int x) { return 2 * x; }
std::string text_of(int x) { return std::to_string(x); }
int fail(int x) { throw std::invalid_argument("no " + std::to_string(x)); }
int value_of(Address<Sync<int>> sync) { return sync.pointer->read(); }

TEST_F(WhenAllTest, when_all_joins_values_and_leaves_voids_out) {
  auto [number, text] = when_all(ainvoke(next_rank(), twice, 3),
                                 ainvoke(previous_rank(), text_of, 4), barrier_async())
                            .get();
  EXPECT_EQ(number, 6);
  EXPECT_EQ(text, "4");
  static_assert(std::is_same_v<decltype(when_all()), Future<void>>);
  static_assert(std::is_same_v<decltype(when_all(ready_future(), ready_future())), Future<void>>);
  static_assert(std::is_same_v<decltype(when_all(ready_future(), ready_future(1))), Future<int>>);
  when_all().get();
  const auto pair = [] { return std::tuple(1, std::string("two")); };
  auto [one, two, three] = when_all(ainvoke(next_rank(), pair), ready_future(3.0)).get();
  EXPECT_EQ(one, 1);
  EXPECT_EQ(two, "two");
  EXPECT_EQ(three, 3.0);
}

TEST_F(WhenAllTest, completions_are_gathered_in_a_loop) {
  Future<void> all = ready_future();
  int done_count = 0;
  for (int i = 0; i < 100; ++i) {
    all = when_all(all, ainvoke(i % size(), twice, i).then([&](int) { ++done_count; }));
  }
  all.get();
  EXPECT_EQ(done_count, 100);
}

TEST_F(WhenAllTest, when_all_leaves_futures_with_a_name_as_they_are) {
  auto text = ainvoke(next_rank(), text_of, 4);
  auto number = ainvoke(next_rank(), twice, 4);
  auto [four, eight] = when_all(text, std::move(number)).get();
  EXPECT_EQ(four + text.get(), "44");
  EXPECT_EQ(eight, 8);
  EXPECT_FALSE(number.valid());  // NOLINT(bugprone-use-after-move): what this tests
}

TEST_F(WhenAllTest, when_all_of_a_row) {
  std::vector<Future<int>> row;
  for (int i = 0; i < 100; ++i) row.push_back(ainvoke(i % size(), twice, i));
  const auto values = when_all(std::move(row)).get();
  for (int i = 0; i < 100; ++i) EXPECT_EQ(values[static_cast<std::size_t>(i)], 2 * i);
  EXPECT_TRUE(when_all(std::vector<Future<int>>()).get().empty());
  std::vector<Future<void>> nothings;
  for (int i = 0; i < 10; ++i) nothings.push_back(ainvoke(next_rank(), [] {}));
  when_all(std::move(nothings)).get();
}

TEST_F(WhenAllTest, when_all_gives_the_first_failure) {
  auto both = when_all(ainvoke(next_rank(), twice, 1), ainvoke(next_rank(), fail, 2),
                       ainvoke(next_rank(), fail, 3));
  try {
    both.get();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const std::invalid_argument& e) {
    EXPECT_EQ(std::string(e.what()), "no 2");
  }
}

TEST_F(WhenAllTest, when_any_gives_the_index_of_the_first) {
  Sync<int> never;
  Sync<int> soon;
  std::vector<Future<int>> row;
  row.push_back(ainvoke(rank(), value_of, as_address(&never)));
  row.push_back(ainvoke(rank(), value_of, as_address(&soon)));
  auto first = when_any(row);
  EXPECT_FALSE(first.ready());
  soon.write(5);
  EXPECT_EQ(first.get(), 1U);
  EXPECT_EQ(row[1].get(), 5);
  // What has been taken is left out.
  auto second = when_any(row);
  never.write(6);
  EXPECT_EQ(second.get(), 0U);
  EXPECT_EQ(row[0].get(), 6);
  EXPECT_TRUE(contains(error_of([&] { when_any(row).get(); }), "this future is empty"));
}

TEST_F(WhenAllTest, when_any_takes_what_is_ready_and_leaves_nothing_behind) {
  std::vector<Promise<int>> promises(3);
  std::vector<Future<int>> row;
  for (auto& promise : promises) row.push_back(promise.future());
  auto both = {when_any(row), when_any(row)};
  promises[2].set_value(7);
  for (const auto& first : both) EXPECT_TRUE(first.ready());
  auto abandoned = when_any(row);
  EXPECT_EQ(abandoned.get(), 2U);
  EXPECT_EQ(row[2].get(), 7);
  { auto dropped = when_any(row); }
  auto last = when_any(row);
  row.clear();
  promises.clear();
  EXPECT_LT(last.get(), 2U);  // a failure, too, is a result
}

// Quadratic: some 10^6 steps. It was cubic, and took minutes.
TEST_F(WhenAllTest, when_any_drains_a_long_row) {
  constexpr std::size_t count = 1'500;
  std::vector<Promise<std::size_t>> promises(count);
  std::vector<Future<std::size_t>> row;
  for (auto& promise : promises) row.push_back(promise.future());
  const std::clock_t begin = std::clock();  // What it computes, however many share the cores.
  std::size_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    auto first = when_any(row);
    promises[count - 1 - i].set_value(i);
    sum += row[first.get()].get();
  }
  EXPECT_EQ(sum, count * (count - 1) / 2);
  EXPECT_LT((std::clock() - begin) / CLOCKS_PER_SEC, 10);
}

}  // namespace
}  // namespace tasuki::test
