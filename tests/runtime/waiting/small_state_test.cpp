#include <array>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>

#include <tasuki/detail/runtime/waiting/small_state.hpp>

#include "support/rank_test.hpp"

namespace tasuki::test {
namespace {

using SmallStateTest = RankTest;

struct TwoWords {
  std::int64_t first;
  std::int64_t second;
};
struct ThreeWords {
  std::array<std::int64_t, 3> words;
};

static_assert(runtime::SmallValue<void> && runtime::SmallValue<TwoWords>);
static_assert(!runtime::SmallValue<ThreeWords> && !runtime::SmallValue<std::string>);
static_assert(!runtime::SmallValue<int&> && !runtime::SmallValue<Future<int>>);

std::int64_t twice(std::int64_t x) { return 2 * x; }
std::int64_t fail(std::int64_t x) { throw std::invalid_argument("no " + std::to_string(x)); }

TEST_F(SmallStateTest, results_of_all_kinds_take_the_place_of_the_value) {
  EXPECT_EQ(ainvoke(next_rank(), twice, 4).then([](std::int64_t x) { return 0.5 * x; }).get(), 4.0);
  const auto pair = [](std::int64_t x) { return TwoWords{x, -x}; };
  EXPECT_EQ(ainvoke(next_rank(), twice, 5).then(pair).get().second, -10);
  const auto sum = [](TwoWords both) { return both.first + both.second; };
  EXPECT_EQ(ainvoke(next_rank(), pair, 5).then(sum).get(), 0);
  const auto many = [](std::int64_t x) { return ThreeWords{{x, x, x}}; };
  EXPECT_EQ(ainvoke(next_rank(), twice, 6).then(many).get().words[2], 12);
  const auto text = [](std::int64_t x) { return std::to_string(x); };
  EXPECT_EQ(ainvoke(next_rank(), twice, 7).then(text).get(), "14");
  EXPECT_EQ(ainvoke(next_rank(), [] {}).then([] { return 8; }).get(), 8);
}

/// Which takes what is not const for something else.
struct Picky {
  int number = 0;
  Picky() = default;
  explicit Picky(int its_number) : number(its_number) {}
  template <class T>
  explicit Picky(T&) = delete;
};
static_assert(runtime::SmallValue<Picky>);

TEST_F(SmallStateTest, values_are_copied_as_const) {
  Promise<Picky> promise;
  promise.set_value(Picky(7));
  EXPECT_EQ(promise.future().get().number, 7);
}

TEST_F(SmallStateTest, functions_that_are_too_large_for_a_state_run_as_well) {
  const TwoWords two{1, 2};
  const ThreeWords three{{1, 2, 3}};
  const auto small = [two](std::int64_t x) { return x + two.second; };
  const auto large = [three](std::int64_t x) { return x + three.words[2]; };
  static_assert(runtime::Replaces<decltype(small), std::int64_t>);
  static_assert(!runtime::Replaces<decltype(large), std::int64_t>);
  EXPECT_EQ(ainvoke(next_rank(), twice, 1).then(small).get(), 4);
  EXPECT_EQ(ainvoke(next_rank(), twice, 1).then(large).get(), 5);
  EXPECT_EQ(ainvoke(next_rank(), twice, 1).then(small).then(large).then(small).get(), 9);
}

TEST_F(SmallStateTest, a_value_that_others_know_is_not_replaced) {
  auto answer = ainvoke(next_rank(), twice, 4);
  auto copied = answer.then([](const std::int64_t& x) { return static_cast<double>(x); });
  auto given = std::move(answer).then([](std::int64_t x) { return TwoWords{x + 1, 0}; });
  EXPECT_EQ(copied.get(), 8.0);
  EXPECT_EQ(given.get().first, 9);
  Promise<std::int64_t> promise;
  auto chained = promise.future().then([](std::int64_t x) { return x + 1; });
  promise.set_value(1);
  EXPECT_EQ(chained.get(), 2);
}

TEST_F(SmallStateTest, a_value_that_somebody_has_waited_for_in_vain_can_be_chained) {
  using Gate = Sync<std::int64_t>;
  Gate gate;
  const auto read = [](Address<Gate> where) { return where.pointer->read(); };
  auto answer = ainvoke(rank(), read, as_address(&gate));
  EXPECT_FALSE(answer.get_for(std::chrono::milliseconds(1)));
  auto more = std::move(answer).then([](std::int64_t x) { return x + 1; });
  gate.write(5);
  EXPECT_EQ(more.get(), 6);
}

// The function lies in the state while it runs, so the one behind it cannot.
TEST_F(SmallStateTest, more_may_be_chained_while_the_function_waits) {
  Sync<std::int64_t> gate;
  bool has_begun = false;
  struct Here {
    Sync<std::int64_t>* gate;
    bool* has_begun;
  };
  const Here here{&gate, &has_begun};
  auto first = ainvoke(next_rank(), twice, 1).then([here](std::int64_t x) {
    *here.has_begun = true;
    return x + here.gate->read();
  });
  while (!has_begun) yield();
  EXPECT_FALSE(first.ready());
  const auto tenfold = [factor = std::int64_t{10}](std::int64_t x) { return factor * x; };
  auto second = std::move(first).then(tenfold);
  gate.write(5);
  EXPECT_EQ(second.get(), 70);
}

TEST_F(SmallStateTest, quiesce_waits_for_a_function_that_waits) {
  Promise<void> never;
  auto nothing = never.future();
  bool is_over = false;
  auto dropped = ainvoke(next_rank(), twice, 1).then([&](std::int64_t) {
    EXPECT_FALSE(nothing.get_for(std::chrono::milliseconds(20)));
    is_over = true;
  });
  dropped = {};
  quiesce();
  EXPECT_TRUE(is_over);
}

TEST_F(SmallStateTest, failures_pass_through_and_take_the_place_of_the_value) {
  bool was_called = false;
  auto failed = ainvoke(next_rank(), fail, 7).then([&](std::int64_t) { was_called = true; });
  EXPECT_THROW(failed.get(), std::invalid_argument);
  EXPECT_FALSE(was_called);
  auto thrown = ainvoke(next_rank(), twice, 7).then(fail);
  EXPECT_THROW(thrown.get(), std::invalid_argument);
}

}  // namespace
}  // namespace tasuki::test
