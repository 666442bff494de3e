#include <cereal/types/memory.hpp>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/rank_test.hpp"

namespace tasuki::test {
namespace {

using FutureCoroutineTest = RankTest;

int twice(int x) { return 2 * x; }

Future<int> fib(int n) {
  if (n < 2) co_return n;
  auto one = ainvoke(next_rank(), fib, n - 1);
  const int two = co_await fib(n - 2);
  co_return two + co_await one;
}

TEST_F(FutureCoroutineTest, called_remotely_it_completes_when_its_future_does) {
  EXPECT_EQ(invoke(next_rank(), fib, 10), 55);
  EXPECT_EQ(fib(9).get(), 34);
}

TEST_F(FutureCoroutineTest, a_plain_function_may_return_a_future_too) {
  const auto far = [](int x) { return ainvoke(next_rank(), twice, x); };
  static_assert(std::is_same_v<decltype(ainvoke(0, far, 1)), Future<int>>);
  EXPECT_EQ(invoke(next_rank(), far, 4), 8);
  const auto nothing = [] { return ainvoke(next_rank(), [] {}); };
  invoke(next_rank(), nothing);
  const auto empty = [] { return Future<int>(); };
  try {
    invoke(next_rank(), empty);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const remote_error& e) {
    EXPECT_TRUE(contains(e.text(), "this future is empty")) << e.text();
  }
}

// By reference: what was sent must live until the end of the coroutine.
Future<std::string> joined(const std::string& left, const std::vector<std::string>& right) {
  co_await ainvoke(next_rank(), [] {});
  std::string text = left;
  for (const std::string& part : right) {
    co_await ainvoke(next_rank(), [] {});
    text += part;
  }
  co_return text;
}

TEST_F(FutureCoroutineTest, arguments_live_as_long_as_the_coroutine) {
  const std::string left = "a text too long for the object itself, ";
  const std::vector<std::string> right{"and more ", "and more ", "and more"};
  EXPECT_EQ(invoke(next_rank(), joined, left, right), left + right[0] + right[1] + right[2]);
}

TEST_F(FutureCoroutineTest, captures_live_as_long_as_the_coroutine) {
  const long number = 1'000'000L + rank();
  const auto later = [number]() -> Future<long> {
    co_await ainvoke(previous_rank(), [] {});
    co_return number;
  };
  EXPECT_EQ(invoke(next_rank(), later), number);
  EXPECT_EQ(spawn(later).get(), number);
}

Future<int> fails_before(int x) {
  if (x == 7) throw std::invalid_argument("no seven");
  co_return x;
}
Future<int> fails_after(int x) {
  co_await ainvoke(next_rank(), [] {});
  co_return co_await fails_before(x);
}

TEST_F(FutureCoroutineTest, exceptions_come_back_as_from_any_function) {
  EXPECT_THROW(invoke(next_rank(), fails_before, 7), std::invalid_argument);
  EXPECT_THROW(invoke(next_rank(), fails_after, 7), std::invalid_argument);
  EXPECT_EQ(invoke(next_rank(), fails_after, 6), 6);
  EXPECT_THROW(fails_after(7).get(), std::invalid_argument);
  // NOLINTNEXTLINE(cppcoreguidelines-avoid-capturing-lambda-coroutines): it captures nothing.
  const auto odd = []() -> Future<void> {
    co_await ainvoke(next_rank(), [] {});
    throw 42;  // NOLINT(bugprone-std-exception-baseclass): a program may throw anything.
  };
  try {
    invoke(next_rank(), odd);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const remote_error& e) {
    EXPECT_EQ(e.remote_rank(), next_rank());
  }
}

Future<int> catches() {
  int caught_count = 0;
  for (int i = 6; i < 9; ++i) {
    try {
      co_await ainvoke(next_rank(), fails_after, i);
    } catch (const std::invalid_argument&) {
      ++caught_count;
    }
  }
  co_return caught_count;
}

TEST_F(FutureCoroutineTest, a_coroutine_may_catch_what_it_waits_for) {
  EXPECT_EQ(invoke(next_rank(), catches), 1);
}

Future<int> sum_of(int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i) sum += co_await ready_future(i);
  co_return sum;
}
Future<int> nested(int depth) {
  if (depth == 0) {
    co_await ainvoke(rank(), [] {});
    co_return 0;
  }
  co_return 1 + co_await nested(depth - 1);
}

TEST_F(FutureCoroutineTest, long_loops_and_ends_of_chains_need_no_deep_stack) {
  EXPECT_EQ(sum_of(20'000).get(), 19'999 * 10'000);
  // Each of them begins inside the one before, so the beginning does need a stack.
  EXPECT_EQ(nested(500).get(), 500);
}

TEST_F(FutureCoroutineTest, many_that_wait_need_no_fibers) {
  constexpr std::size_t count = 10'000;
  Promise<int> promise;
  auto gate = promise.future();
  const auto wait = [&]() -> Future<int> {
    co_return co_await gate.then([](int value) { return value; });
  };
  std::vector<Future<int>> row;
  row.reserve(count);
  for (std::size_t i = 0; i < count; ++i) row.push_back(wait());
  promise.set_value(3);
  int sum = 0;
  for (auto& one : row) sum += one.get();
  EXPECT_EQ(sum, 30'000);
}

Future<void> count_later(Address<int> counter) {
  co_await ainvoke(rank(), [] {});
  co_await ainvoke(rank(), [] {});
  ++*counter.pointer;
}

TEST_F(FutureCoroutineTest, quiesce_waits_for_coroutines) {
  int counter = 0;
  for (int i = 0; i < 10; ++i) {
    post(rank(), count_later, as_address(&counter));
    auto dropped = ainvoke(rank(), count_later, as_address(&counter));
    auto spawned = spawn(count_later, as_address(&counter));
  }
  quiesce();
  EXPECT_EQ(counter, 30);
}

// It may use the stack, too: then it is a fiber meanwhile.
Future<int> waits_both_ways(int x) {
  const int first = co_await ainvoke(next_rank(), twice, x);
  const int second = invoke(next_rank(), twice, first);
  co_return co_await ainvoke(next_rank(), twice, second);
}

TEST_F(FutureCoroutineTest, it_may_wait_as_a_fiber_too) {
  EXPECT_EQ(invoke(next_rank(), waits_both_ways, 1), 8);
  EXPECT_EQ(waits_both_ways(2).get(), 16);
}

Future<int> its_caller() {
  const int before = caller();
  co_await ainvoke(next_rank(), [] {});
  EXPECT_EQ(caller(), before);
  co_return before;
}

TEST_F(FutureCoroutineTest, the_caller_is_known_after_a_wait) {
  EXPECT_EQ(invoke(next_rank(), its_caller), rank());
}

TEST_F(FutureCoroutineTest, what_comes_behind_it_belongs_to_no_call) {
  const auto is_nobody = [](int) { return contains(error_of([] { caller(); }), "caller()"); };
  EXPECT_TRUE(invoke(next_rank(), [is_nobody] { return its_caller().then(is_nobody); }));
}

Future<std::unique_ptr<int>> boxed(int x) {
  co_await ainvoke(next_rank(), [] {});
  co_return std::make_unique<int>(x);
}

TEST_F(FutureCoroutineTest, values_may_be_movable_only) {
  EXPECT_EQ(*boxed(5).get(), 5);
  EXPECT_EQ(*invoke(next_rank(), boxed, 6), 6);
}

struct ThrowsAtItsEnd {
  // NOLINTNEXTLINE(bugprone-unsafe-to-allow-exceptions): programs have such destructors.
  ~ThrowsAtItsEnd() noexcept(false) { throw std::runtime_error("at the end"); }
};
Future<std::shared_ptr<int>> returns_twice(std::shared_ptr<int> first) {
  try {
    const ThrowsAtItsEnd at_the_end;
    co_return first;
  } catch (const std::runtime_error&) {
    first.reset();
  }
  co_return std::make_shared<int>(2);
}

TEST_F(FutureCoroutineTest, a_second_co_return_ends_the_first_value) {
  const auto first = std::make_shared<int>(1);
  EXPECT_EQ(*returns_twice(first).get(), 2);
  EXPECT_EQ(first.use_count(), 1);
}

TEST_F(FutureCoroutineTest, a_dropped_promise_ends_the_wait) {
  Promise<int> promise;
  auto waiting = [](Future<int> from) -> Future<int> { co_return co_await from; }(promise.future());
  promise = Promise<int>();
  EXPECT_TRUE(contains(error_of([&] { waiting.get(); }), "its promise was dropped"));
}

}  // namespace
}  // namespace tasuki::test
