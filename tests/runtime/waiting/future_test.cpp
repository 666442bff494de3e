#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <tasuki/detail/base/clock.hpp>
#include <tasuki/detail/runtime/waiting/timers.hpp>

#include "support/rank_test.hpp"

namespace tasuki::test {
namespace {

using namespace std::chrono_literals;
using FutureTest = RankTest;

int twice(int x) { return 2 * x; }
std::string text_of(int x) { return std::to_string(x); }
int fail(int x) { throw std::invalid_argument("no " + std::to_string(x)); }
int value_of(Address<Sync<int>> sync) { return sync.pointer->read(); }

TEST_F(FutureTest, get_hands_the_value_out_once) {
  auto future = ainvoke(next_rank(), twice, 21);
  EXPECT_TRUE(future.valid());
  EXPECT_EQ(future.get(), 42);
  EXPECT_FALSE(future.valid());
  EXPECT_TRUE(contains(error_of([&] { future.get(); }), "this future is empty"));
  EXPECT_TRUE(contains(error_of([&] { static_cast<void>(future.ready()); }), "is empty"));
}

TEST_F(FutureTest, what_becomes_of_one_ready_future_does_not_concern_another) {
  auto first = ready_future();
  auto second = ready_future();
  auto failing = first.then([] { throw std::invalid_argument("no"); });
  auto seven = std::move(second).then([] { return 7; });
  EXPECT_THROW(failing.get(), std::invalid_argument);
  EXPECT_EQ(seven.get(), 7);
  first.get();
  EXPECT_FALSE(first.valid());
  EXPECT_TRUE(when_all(ready_future(), ready_future()).ready());
  static Future<void> outlives_the_job;  // in a program of its own it does
  outlives_the_job = ready_future();
}

TEST_F(FutureTest, the_captures_of_a_continuation_go_before_its_result_is_seen) {
  Promise<int> promise;
  auto captured = std::make_shared<int>(1);
  const std::weak_ptr<int> watched = captured;
  bool was_gone = false;
  auto first =
      promise.future().then([own = std::move(captured)](int value) { return value + *own; });
  auto second = std::move(first).then([&](int value) {
    was_gone = watched.expired();
    return value;
  });
  promise.set_value(1);
  EXPECT_EQ(second.get(), 2);
  EXPECT_TRUE(was_gone);
}

TEST_F(FutureTest, ready_never_waits) {
  Promise<int> promise;
  auto future = promise.future();
  EXPECT_FALSE(future.ready());
  promise.set_value(3);
  EXPECT_TRUE(future.ready());
  EXPECT_EQ(future.get(), 3);
  auto remote = ainvoke(next_rank(), twice, 4);
  while (!remote.ready()) yield();
  EXPECT_EQ(remote.get(), 8);
}

TEST_F(FutureTest, dropped_futures_and_promises) {
  { auto dropped = ainvoke(next_rank(), text_of, 5); }
  Future<int> orphan;
  {
    Promise<int> promise;
    orphan = promise.future();
  }
  EXPECT_TRUE(contains(error_of([&] { orphan.get(); }), "its promise was dropped"));
}

TEST_F(FutureTest, time_limits_run_out_and_leave_the_future_usable) {
  Sync<int> sync;
  auto future = ainvoke(rank(), value_of, as_address(&sync));
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_FALSE(future.get_for(20ms).has_value());
  EXPECT_FALSE(future.get_for(0ms).has_value());
  EXPECT_GE(std::chrono::steady_clock::now() - begin, 20ms);
  sync.write(9);
  EXPECT_EQ(future.get_for(20s), 9);
  EXPECT_FALSE(future.valid());
  EXPECT_EQ(ainvoke(next_rank(), twice, 4).get_for(20s), 8);
}

TEST_F(FutureTest, time_limits_of_void_and_failed_futures) {
  Promise<void> promise;
  auto future = promise.future();
  EXPECT_FALSE(future.get_for(1ms));
  promise.set_value();
  EXPECT_TRUE(future.get_for(1ms));
  auto failing = ainvoke(next_rank(), fail, 1);
  EXPECT_THROW(static_cast<void>(failing.get_for(20s)), std::invalid_argument);
}

TEST_F(FutureTest, many_time_limits_at_once) {
  Sync<int> sync;
  int timed_out_count = 0;
  const auto wait_for_it = [](Address<Sync<int>> from, Address<int> timed_out, int limit_ms) {
    auto value = ainvoke(rank(), value_of, from);
    const bool in_time = value.get_for(std::chrono::milliseconds(limit_ms)).has_value();
    if (!in_time) {
      ++*timed_out.pointer;
      value.wait();
    }
    return in_time;
  };
  std::vector<Future<bool>> all;
  for (int i = 0; i < 20; ++i) {
    all.push_back(ainvoke(rank(), wait_for_it, as_address(&sync), as_address(&timed_out_count),
                          i % 2 == 0 ? 1 : 100'000));
  }
  // Waiting, not yielding: below the cap of fibers calls start only while nothing else can run.
  Promise<void> never;
  auto nothing = never.future();
  while (timed_out_count < 10) EXPECT_FALSE(nothing.get_for(1ms));
  for (int i = 0; i < 20; ++i) sync.write(i);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(all[static_cast<std::size_t>(i)].get(), i % 2 != 0);
}

/// How long it takes to set and end that many time limits that do not run out.
double seconds_of_time_limits(std::size_t count) {
  const std::int64_t far_ns = base::now_ns() + 1'000'000'000'000;
  runtime::Timers timers;
  std::vector<runtime::TimedWaiter> waiters(count);
  const std::int64_t begin_ns = base::now_ns();
  for (std::size_t i = 0; i < count; ++i) {
    timers.add(far_ns + static_cast<std::int64_t>(i), waiters[i]);
  }
  for (std::size_t i = 0; i < count; ++i) {
    timers.remove(far_ns + static_cast<std::int64_t>(i), waiters[i]);
  }
  EXPECT_TRUE(timers.empty());
  return static_cast<double>(base::now_ns() - begin_ns) * 1e-9;
}

TEST_F(FutureTest, ending_a_time_limit_does_not_take_the_longer_the_more_there_are) {
  // 0.02 s; were each of them looked for among all, more than 10 s.
  EXPECT_LT(seconds_of_time_limits(64'000), 2.0);
}

TEST_F(FutureTest, then_chains_values_and_voids) {
  auto chained = ainvoke(next_rank(), twice, 5).then([](int x) { return x + 1; }).then(text_of);
  EXPECT_EQ(chained.get(), "11");
  int sum = 0;
  ainvoke(next_rank(), twice, 1)
      .then([&](int x) { sum += x; })
      .then([&] { sum += 10; })
      .then([&] { return ++sum; })
      .get();
  EXPECT_EQ(sum, 13);
  EXPECT_EQ(ready_future(4).then(twice).get(), 8);
}

// NOLINTNEXTLINE(readability-const-return-type): programs have such functions.
const std::string constant_text(int number) {
  return std::string(40, 'c') + std::to_string(number);
}

/// Whose address is not asked for by `&`.
struct Odd {
  std::string text;
  int operator&() const { return 3; }  // NOLINT(google-runtime-operator): that is the point.
};

TEST_F(FutureTest, then_takes_functions_with_results_of_all_kinds) {
  EXPECT_EQ(ready_future(1).then(&constant_text).get(), constant_text(1));
  EXPECT_EQ(spawn(&constant_text, 2).get(), constant_text(2));
  EXPECT_EQ(ready_future(1).then([](int) { return Odd{"odd"}; }).get().text, "odd");
}

TEST_F(FutureTest, then_may_wait_and_pass_failures_on) {
  auto nested =
      ainvoke(next_rank(), twice, 5).then([](int x) { return invoke(previous_rank(), twice, x); });
  EXPECT_EQ(nested.get(), 20);
  bool was_called = false;
  auto failed = ainvoke(next_rank(), fail, 7).then([&](int) { was_called = true; });
  EXPECT_THROW(failed.get(), std::invalid_argument);
  EXPECT_FALSE(was_called);
  // NOLINTNEXTLINE(bugprone-std-exception-baseclass): a program may throw anything.
  auto thrown = ainvoke(next_rank(), twice, 1).then([](int) -> int { throw std::string("odd"); });
  EXPECT_THROW(thrown.get(), std::string);
}

TEST_F(FutureTest, then_leaves_a_future_with_a_name_as_it_is) {
  Promise<std::string> promise;
  auto text = promise.future();
  auto size = text.then([](const std::string& value) { return value.size(); });
  auto copy = text.then([](std::string value) { return std::move(value) + "!"; });
  // It reads the value again after main has taken it.
  auto slow = text.then([](const std::string& value) {
    yield();
    return value;
  });
  promise.set_value("a text too long for the object itself");
  EXPECT_EQ(text.get(), "a text too long for the object itself");
  EXPECT_EQ(slow.get(), "a text too long for the object itself");
  EXPECT_EQ(copy.get(), "a text too long for the object itself!");
  EXPECT_EQ(size.get(), 37U);
  auto failing = ainvoke(next_rank(), fail, 7);
  auto next = failing.then([](int) {});
  EXPECT_THROW(failing.get(), std::invalid_argument);
  EXPECT_THROW(next.get(), std::invalid_argument);
}

TEST_F(FutureTest, then_gives_the_value_of_a_future_without_a_name_away) {
  auto box = ready_future(std::make_unique<int>(7));
  auto number = std::move(box).then([](std::unique_ptr<int> value) { return *value; });
  EXPECT_EQ(number.get(), 7);
  // NOLINTNEXTLINE(bugprone-use-after-move): this is what the program gets that does it.
  EXPECT_TRUE(contains(error_of([&] { box.get(); }), "this future is empty"));
}

TEST_F(FutureTest, then_unwraps_a_future_of_a_future) {
  auto far = ainvoke(next_rank(), twice, 5)
                 .then([](int x) { return ainvoke(previous_rank(), twice, x); })
                 .then(text_of);
  EXPECT_EQ(far.get(), "20");
  auto nothing = ready_future().then([] { return ainvoke(next_rank(), [] {}); });
  static_assert(std::is_same_v<decltype(nothing), Future<void>>);
  nothing.get();
  auto failed = ready_future(1).then([](int x) { return ainvoke(next_rank(), fail, x); });
  EXPECT_THROW(failed.get(), std::invalid_argument);
  auto thrown = ready_future().then([]() -> Future<int> { throw std::out_of_range("too far"); });
  EXPECT_THROW(thrown.get(), std::out_of_range);
  auto empty = ready_future().then([] { return Future<int>(); });
  EXPECT_TRUE(contains(error_of([&] { empty.get(); }), "this future is empty"));
}

TEST_F(FutureTest, a_dropped_promise_ends_a_chain_that_waits_for_its_future) {
  Promise<int> inner;
  auto outer = ready_future().then([&] { return inner.future(); });
  inner = Promise<int>();
  EXPECT_TRUE(contains(error_of([&] { outer.get(); }), "its promise was dropped"));
}

Future<int> countdown(int from) {
  if (from == 0) return ready_future(0);
  return ainvoke(rank(), [] {}).then([from] { return countdown(from - 1); });
}

TEST_F(FutureTest, a_loop_of_futures_needs_no_deep_stack) { EXPECT_EQ(countdown(5'000).get(), 0); }

TEST_F(FutureTest, a_long_chain_needs_no_deep_stack) {
  constexpr int links_count = 20'000;
  Promise<int> promise;
  auto value = promise.future();
  Promise<int> dropped;
  auto failure = dropped.future();
  for (int i = 0; i < links_count; ++i) {
    value = value.then([](int x) { return x + 1; });
    failure = failure.then([](int x) { return x + 1; });
  }
  // Fulfilled on a fiber's stack, which is smaller than main's.
  invoke(
      rank(), [](Address<Promise<int>> to) { to.pointer->set_value(0); }, as_address(&promise));
  EXPECT_EQ(value.get(), links_count);
  invoke(
      rank(), [](Address<Promise<int>> to) { *to.pointer = Promise<int>(); }, as_address(&dropped));
  EXPECT_THROW(failure.get(), error);
}

TEST_F(FutureTest, continuations_run_in_the_order_of_nested_calls) {
  Promise<int> promise;
  std::string order;
  auto root = promise.future();
  auto first = root.then([&](int) { order += 'a'; });
  auto second = first.then([&] { order += 'b'; }).then([&] { order += 'c'; });
  promise.set_value(1);
  EXPECT_EQ(order, "abc");
  second.get();
}

// A call fulfils the promise, so the first continuation runs on the poller, or on this call's
// fiber.
void fulfil(Address<Promise<int>> promise) { promise.pointer->set_value(1); }

TEST_F(FutureTest, a_continuation_that_waits_may_wait_for_the_one_behind_it) {
  for (const bool by_call : {false, true}) {
    Promise<int> promise;
    std::vector<Future<int>> row;
    row.push_back(promise.future());
    auto first = when_any(row);
    auto next = row[0].then([](int x) { return x + 1; });
    auto last = first.then([&](std::size_t) { return next.get(); });
    if (by_call) {
      post(rank(), fulfil, as_address(&promise));
    } else {
      promise.set_value(1);
    }
    EXPECT_EQ(last.get(), 2);
  }
}

TEST_F(FutureTest, continuations_behind_one_that_waits_keep_their_order) {
  Promise<int> promise;
  std::vector<Future<int>> row;
  row.push_back(promise.future());
  Sync<int> gate;
  std::string order;
  auto waiting = when_any(row).then([&](std::size_t) {
    order += 'a';
    gate.read();
    order += 'd';
  });
  auto nested = when_any(row).then([&](std::size_t) { order += 'b'; }).then([&] { order += 'c'; });
  auto opening = when_any(row).then([&](std::size_t) { gate.write(1); });
  post(rank(), fulfil, as_address(&promise));
  waiting.get();
  EXPECT_EQ(order, "abcd");
  EXPECT_TRUE(nested.ready() && opening.ready());
  quiesce();
}

// The inner promise is fulfilled by a continuation: both lists lie on one stack.
TEST_F(FutureTest, a_continuation_inside_another_blocks_neither_list) {
  Promise<int> outer;
  Promise<int> inner;
  std::vector<Future<int>> outer_row;
  std::vector<Future<int>> inner_row;
  outer_row.push_back(outer.future());
  inner_row.push_back(inner.future());
  Sync<int> from_outer;
  Sync<int> from_inner;
  auto fulfils = when_any(outer_row).then([&](std::size_t) { inner.set_value(1); });
  auto outer_last = when_any(outer_row).then([&](std::size_t) { from_outer.write(3); });
  auto waits =
      when_any(inner_row).then([&](std::size_t) { return from_outer.read() + from_inner.read(); });
  auto inner_last = when_any(inner_row).then([&](std::size_t) { from_inner.write(4); });
  outer.set_value(1);
  EXPECT_EQ(waits.get(), 7);
  fulfils.get();
  when_all(std::move(outer_last), std::move(inner_last)).get();
}

TEST_F(FutureTest, quiesce_waits_for_continuations_that_another_has_left_behind) {
  Promise<int> promise;
  std::vector<Future<int>> row;
  row.push_back(promise.future());
  Promise<void> never;
  auto nothing = never.future();
  bool is_over = false;
  auto first = when_any(row).then([](std::size_t) { yield(); });
  auto second = when_any(row).then([&](std::size_t) {
    EXPECT_FALSE(nothing.get_for(50ms));
    is_over = true;
  });
  promise.set_value(1);
  EXPECT_FALSE(is_over);
  quiesce();
  EXPECT_TRUE(is_over);
}

// The barrier is fulfilled on no called function's behalf.
TEST_F(FutureTest, quiesce_waits_for_a_continuation_of_a_collective_that_waits) {
  Promise<void> never;
  auto nothing = never.future();
  bool has_begun = false;
  bool is_over = false;
  auto after = barrier_async().then([&] {
    has_begun = true;
    EXPECT_FALSE(nothing.get_for(50ms));
    is_over = true;
  });
  while (!has_begun) yield();
  quiesce();
  EXPECT_TRUE(is_over);
  after.get();
}

// What it says of who has thrown is for main's caller; the second failure is heard by nobody.
TEST_F(FutureTest, an_exception_on_its_way_drops_failed_futures) {
  const auto lose_one = [] {
    auto first = ainvoke(next_rank(), fail, 1);
    auto second = ainvoke(next_rank(), fail, 2);
    second.wait();
    first.get();
  };
  EXPECT_THROW(lose_one(), std::invalid_argument);
}

TEST_F(FutureTest, time_limits_beyond_the_clock_are_for_ever) {
  const auto answer = [] { return 1; };
  EXPECT_EQ(ainvoke(next_rank(), answer).get_for(std::chrono::hours::max()), 1);
  EXPECT_EQ(ainvoke(next_rank(), answer).get_for(std::chrono::nanoseconds::max()), 1);
  EXPECT_EQ(ainvoke(next_rank(), answer).get_for(std::chrono::duration<double>(1e30)), 1);
  Promise<int> promise;
  auto future = promise.future();
  EXPECT_FALSE(future.get_for(std::chrono::hours::min()));
  promise.set_value(1);
}

TEST_F(FutureTest, a_promise_is_fulfilled_once) {
  Promise<int> promise;
  auto future = promise.future();
  promise.set_value(1);
  const std::string text = error_of([&] { promise.set_value(2); });
  EXPECT_TRUE(contains(text, "it has its value or its failure already")) << text;
  EXPECT_THROW(promise.set_failure(nullptr), error);
  EXPECT_EQ(future.get(), 1);
}

TEST_F(FutureTest, several_fibers_may_wait_for_one_future) {
  Promise<int> promise;
  auto future = promise.future();
  std::vector<Future<bool>> waiting;
  for (int i = 0; i < 5; ++i) {
    waiting.push_back(ainvoke(
        rank(),
        [](Address<Future<int>> shared) {
          shared.pointer->wait();
          return shared.pointer->ready();
        },
        as_address(&future)));
  }
  yield();
  promise.set_value(1);
  for (auto& one : waiting) EXPECT_TRUE(one.get());
}

TEST_F(FutureTest, of_several_fibers_one_gets_the_value) {
  Promise<int> promise;
  auto future = promise.future();
  std::vector<Future<int>> waiting;
  for (int i = 0; i < 3; ++i) {
    waiting.push_back(ainvoke(
        rank(), [](Address<Future<int>> shared) { return shared.pointer->get(); },
        as_address(&future)));
  }
  yield();
  promise.set_value(7);
  int values_count = 0;
  for (auto& one : waiting) {
    try {
      values_count += one.get() == 7 ? 1 : 0;
    } catch (const remote_error& failure) {
      EXPECT_TRUE(contains(failure.what(), "this future is empty")) << failure.what();
    }
  }
  EXPECT_EQ(values_count, 1);
}

// Of two that wait the later wakes first; what it makes then lies where the state lay.
/// A future that several fibers wait for. Of these the last one wakes first.
struct WaitedFor {
  Future<int> future;
  int waiting_count = 0;

  /// Lets calls start until `count` of them wait.
  template <class Result>
  void await(int count, Future<Result>& last) {
    while (waiting_count < count) EXPECT_FALSE(last.get_for(1ms));
  }
};

TEST_F(FutureTest, a_time_limit_does_not_read_a_future_that_another_fiber_has_consumed) {
  WaitedFor shared;
  const auto wait_with_limit = [](Address<WaitedFor> by) {
    ++by.pointer->waiting_count;
    return error_of([&] { static_cast<void>(by.pointer->future.get_for(100s)); });
  };
  const auto consume = [](Address<WaitedFor> by) {
    ++by.pointer->waiting_count;
    const int value = by.pointer->future.get();
    std::vector<Promise<int>> others(4);
    yield();
    return value;
  };
  Future<std::string> limited;
  Future<int> consumed;
  {
    Promise<int> promise;
    shared.future = promise.future();
    limited = ainvoke(rank(), wait_with_limit, as_address(&shared));
    shared.await(1, limited);
    consumed = ainvoke(rank(), consume, as_address(&shared));
    shared.await(2, consumed);
    promise.set_value(7);
  }
  EXPECT_EQ(consumed.get(), 7);
  EXPECT_TRUE(contains(limited.get(), "this future is empty"));
}

TEST_F(FutureTest, who_waited_for_a_consumed_future_does_not_take_the_next_one) {
  Promise<int> first;
  Promise<int> second;
  WaitedFor shared{first.future()};
  const auto get = [](Address<WaitedFor> by) {
    ++by.pointer->waiting_count;
    return by.pointer->future.get();
  };
  const auto replace = [](Address<WaitedFor> by, Address<Promise<int>> next) {
    ++by.pointer->waiting_count;
    const int value = by.pointer->future.get();
    by.pointer->future = next.pointer->future();
    return value;
  };
  auto late = ainvoke(rank(), get, as_address(&shared));
  shared.await(1, late);
  auto early = ainvoke(rank(), replace, as_address(&shared), as_address(&second));
  shared.await(2, early);
  first.set_value(7);
  EXPECT_EQ(early.get(), 7);
  EXPECT_THROW(late.get(), remote_error);
  second.set_value(8);
  EXPECT_EQ(shared.future.get(), 8);
}

// The transport completes them in the middle of its work, several of them in one go.
TEST_F(FutureTest, continuations_of_remote_reads_may_wait_for_each_other) {
  constexpr std::size_t reads_count = 8;
  constexpr std::size_t values_count = 200'000;
  std::vector<std::uint64_t> source(values_count, static_cast<std::uint64_t>(rank()) + 1);
  const auto all = allgather(GlobalPtr<std::uint64_t>(rank(), source.data()));
  std::vector<std::vector<std::uint64_t>> copies(reads_count);
  std::vector<Future<std::uint64_t>> sums;
  std::size_t arrived_count = 0;
  Sync<int> gate;
  for (auto& copy : copies) {
    copy.resize(values_count);
    auto read = all[static_cast<std::size_t>(next_rank())].nread_async(copy.data(), values_count);
    if (read.ready()) break;  // this transport reads at once
    sums.push_back(read.then([&] {
      if (++arrived_count == reads_count) gate.write(1);
      gate.peek();
      return copy.back();
    }));
  }
  for (auto& sum : sums) EXPECT_EQ(sum.get(), static_cast<std::uint64_t>(next_rank()) + 1);
  barrier();
}

}  // namespace
}  // namespace tasuki::test
